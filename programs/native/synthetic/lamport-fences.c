//! title: Lamport's fast mutual exclusion algorithm with a fence between any two accesses
//! source: L. Lamport, "A fast mutual exclusion algorithm", ACM Transactions on Computer Systems 5(1), 1987, algorithm 2
//! expect: robust
//! note: The three fences that two threads need are not enough for more: the waits of one thread for others are reads in a row.
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
    fence(sc);
    store(x, me, rel);
    fence(sc);
    if (load(y, acq) != 0) {
      fence(sc);
      store(wants[self], 0, rel);
      fence(sc);
      fencepost_wait(&y, 0, acq);
      fence(sc);
      goto start;
    }
    fence(sc);
    store(y, me, rel);
    fence(sc);
    if (load(x, acq) != me) {
      fence(sc);
      store(wants[self], 0, rel);
      fence(sc);
      for (int j = 0; j < threads; j++) {
        fencepost_wait(&wants[j], 0, acq);
        fence(sc);
      }
      if (load(y, acq) != me) {
        fence(sc);
        fencepost_wait(&y, 0, acq);
        fence(sc);
        goto start;
      }
    }
    fence(sc);
    inside = me;
    assert(inside == me);
    store(y, 0, rel);
    fence(sc);
    store(wants[self], 0, rel);
    fence(sc);
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
