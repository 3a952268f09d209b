//! title: the same with a fence between any two accesses
//! source: event counters, after the benchmark of that name in paper 000, figure 7
//! expect: robust
//! note: One fence after the store is enough for two threads. With three, one may read the new value of a second and then the old value
//! note: of a third, which has not read that new value yet (RWC).
#include "../threads.h"

#ifndef ROUNDS
#define ROUNDS 3
#endif

atomic_int events[64];
static int threads = THREADS;

static void *process(void *number) {
  int self = (int)(long)number, sum = 0;
  for (int i = 1; i <= ROUNDS; i++) {
    store(events[self], i, rel);
    for (int j = 0; j < threads; j++) {
      fence(sc);
      sum += load(events[j], acq);
    }
    fence(sc);
  }
  assert(sum >= ROUNDS);
  return number;
}

int main(int count, char **arguments) {
  threads = count > 1 ? atoi(arguments[1]) : threads;
  body *bodies[64];
  for (int i = 0; i < threads; i++)
    bodies[i] = process;
  run(threads, bodies);
  return 0;
}
