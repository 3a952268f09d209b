/* A test-and-set lock around a counter and a short list. */
#include "bench.h"

static atomic_int locked;
static long counter, slots[8];

static void *increment(void *unused) {
  for (int i = 0; i < 400000; i++) {
    while (exchange(locked, 1, acq))
      while (load(locked, rlx))
        sched_yield();
    counter++;
    slots[counter & 7] += counter;
    store(locked, 0, rel);
  }
  return NULL;
}

int main(void) {
  parallel(increment);
  printf("%ld\n", counter);
}
