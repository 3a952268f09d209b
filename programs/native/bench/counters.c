/* A histogram of relaxed counters. */
#include "bench.h"

static atomic_long counters[512];

static void *work(void *number) {
  uint32_t random = 17 + (long)number;
  for (int i = 0; i < 600000; i++)
    fetch_add(counters[next_random(&random) % 512], 1, rlx);
  return NULL;
}

int main(void) {
  parallel(work);
  long sum = 0;
  for (int i = 0; i < 512; i++)
    sum += load(counters[i], rlx);
  printf("%ld\n", sum);
}
