//! title: each thread counts its own events and reads those of all
//! source: event counters, after the benchmark of that name in paper 000, figure 7
//! expect: not robust
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
    for (int j = 0; j < threads; j++)
      sum += load(events[j], acq);
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
