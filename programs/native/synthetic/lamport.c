//! title: Lamport's fast mutual exclusion algorithm with release and acquire only
//! source: L. Lamport, "A fast mutual exclusion algorithm", ACM Transactions on Computer Systems 5(1), 1987, algorithm 2
//! expect: not robust
#include <fencepost.h>

#include "../threads.h"

#ifndef ROUNDS
#define ROUNDS 2
#endif

atomic_int wants[64], x, y;
static int threads = THREADS;
int inside;

static void *process(void *number) {
  int self = (int)(long)number, me = self + 1;
  for (int i = 0; i < ROUNDS; i++) {
  start:
    store(wants[self], 1, rel);
    store(x, me, rel);
    if (load(y, acq) != 0) {
      store(wants[self], 0, rel);
      fencepost_wait(&y, 0, acq);
      goto start;
    }
    store(y, me, rel);
    if (load(x, acq) != me) {
      store(wants[self], 0, rel);
      for (int j = 0; j < threads; j++)
        fencepost_wait(&wants[j], 0, acq);
      if (load(y, acq) != me) {
        fencepost_wait(&y, 0, acq);
        goto start;
      }
    }
    inside = me;
    assert(inside == me);
    store(y, 0, rel);
    store(wants[self], 0, rel);
  }
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
