/* A pthread mutex around a small table. */
#include "bench.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long table[64], sum;

static void *work(void *number) {
  uint32_t random = 17 + (long)number;
  for (int i = 0; i < 500000; i++) {
    uint32_t at = next_random(&random) % 64;
    pthread_mutex_lock(&mutex);
    table[at]++;
    sum++;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  parallel(work);
  printf("%ld\n", sum);
}
