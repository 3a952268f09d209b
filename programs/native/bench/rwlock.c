/* A read-write lock around a table that is mostly read. */
#include "bench.h"

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static long table[256];

static void *work(void *number) {
  uint32_t random = 17 + (long)number;
  long seen = 0;
  for (int i = 0; i < 200000; i++) {
    if (i % 16 == 0) {
      pthread_rwlock_wrlock(&rwlock);
      table[next_random(&random) % 256] += 1;
    } else {
      pthread_rwlock_rdlock(&rwlock);
      for (int k = 0; k < 8; k++)
        seen += table[next_random(&random) % 256];
    }
    pthread_rwlock_unlock(&rwlock);
  }
  return (void *)seen;
}

int main(void) {
  parallel(work);
  long sum = 0;
  for (int i = 0; i < 256; i++)
    sum += table[i];
  printf("%ld\n", sum);
}
