//! title: a lock that serves in order
//! source: the usual one
//! expect: robust
#include <fencepost.h>

#include "../threads.h"

#ifndef ROUNDS
#define ROUNDS 3
#endif

atomic_int next, serving;
int counter;

static void *process(void *number) {
  for (int i = 0; i < ROUNDS; i++) {
    int mine = fetch_add(next, 1, acq_rel);
    fencepost_wait(&serving, mine, acq);
    counter++;
    store(serving, mine + 1, rel);
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
