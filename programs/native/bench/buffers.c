/* Blocks of all sizes are allocated, filled, handed to another thread and freed there. */
#include "bench.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *shelf[64];
static atomic_long sum;

static void *work(void *number) {
  uint32_t random = 17 + (long)number;
  for (int i = 0; i < 40000; i++) {
    size_t size = 16 + next_random(&random) % 2000;
    char *block = malloc(size);
    memset(block, 1, size);
    uint32_t at = next_random(&random) % 64;
    pthread_mutex_lock(&mutex);
    char *old = shelf[at];
    shelf[at] = block;
    pthread_mutex_unlock(&mutex);
    if (old) {
      fetch_add(sum, old[0], rlx);
      free(old);
    }
  }
  return NULL;
}

int main(void) {
  parallel(work);
  for (int i = 0; i < 64; i++)
    if (shelf[i]) {
      sum += shelf[i][0];
      free(shelf[i]);
    }
  printf("%ld\n", sum);
}
