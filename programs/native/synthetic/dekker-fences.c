//! title: Dekker's mutual exclusion algorithm with a fence after each write of a flag
//! source: T. J. Dekker; in E. W. Dijkstra, "Cooperating sequential processes" (EWD 123), 1965
//! expect: robust
#include "../threads.h"

#ifndef ROUNDS
#define ROUNDS 3
#endif

/* Threads come in pairs, each with a lock of its own. */
static struct pair {
  atomic_int wants[2], turn;
  int inside;
} pairs[32];

static void *process(void *number) {
  int self = (int)(long)number % 2;
  struct pair *pair = &pairs[(long)number / 2];
  for (int i = 0; i < ROUNDS; i++) {
    store(pair->wants[self], 1, rel);
    fence(sc);
    while (load(pair->wants[1 - self], acq)) {
      if (load(pair->turn, acq) != self) {
        store(pair->wants[self], 0, rel);
        fence(sc);
        while (load(pair->turn, acq) != self)
          sched_yield();
        store(pair->wants[self], 1, rel);
        fence(sc);
      }
    }
    pair->inside = self;
    assert(pair->inside == self);
    store(pair->turn, 1 - self, rel);
    store(pair->wants[self], 0, rel);
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
