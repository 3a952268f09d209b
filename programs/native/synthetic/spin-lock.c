//! title: a lock by a blocking CAS
//! source: the usual one
//! expect: robust
#include <fencepost.h>

#include "../threads.h"

#ifndef ROUNDS
#define ROUNDS 3
#endif

atomic_int taken;
int counter;

static void *process(void *number) {
  for (int i = 0; i < ROUNDS; i++) {
    fencepost_bcas(&taken, 0, 1, acq_rel);
    counter++;
    store(taken, 0, rel);
  }
  return number;
}

int main(int count, char **arguments) {
  int threads = count > 1 ? atoi(arguments[1]) : THREADS;
  body *bodies[64];
  for (int i = 0; i < threads; i++)
    bodies[i] = process;
  run(threads, bodies);
  return 0;
}
