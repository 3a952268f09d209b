/* A ticket lock: an RMW to enter, loads to wait. */
#include "bench.h"

static atomic_uint next_ticket, serving;
static long counter, slots[8];

static void *increment(void *unused) {
  for (int i = 0; i < 150000; i++) {
    unsigned mine = fetch_add(next_ticket, 1, rlx);
    while (load(serving, acq) != mine)
      sched_yield();
    counter++;
    slots[counter & 7] += counter;
    store(serving, mine + 1, rel);
  }
  return NULL;
}

int main(void) {
  parallel(increment);
  printf("%ld\n", counter);
}
