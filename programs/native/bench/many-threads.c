/* Threads that live for a moment, two at a time. */
#include "bench.h"

static long sums[2];

static void *work(void *number) {
  for (int i = 0; i < 100; i++)
    sums[(long)number] += i;
  return NULL;
}

int main(void) {
  for (int i = 0; i < 4000; i++)
    run2(work, work);
  printf("%ld\n", sums[0] + sums[1]);
}
