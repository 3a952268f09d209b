//! title: Dekker's mutual exclusion algorithm with a fence after each write of a flag
//! source: T. J. Dekker; in E. W. Dijkstra, "Cooperating sequential processes" (EWD 123), 1965
//! expect: robust
#include "../threads.h"

enum { ROUNDS = 3 };

atomic_int wants[2], turn;
int inside;

static void *process(void *number) {
  int self = (int)(long)number;
  for (int i = 0; i < ROUNDS; i++) {
    store(wants[self], 1, rel);
    fence(sc);
    while (load(wants[1 - self], acq)) {
      if (load(turn, acq) != self) {
        store(wants[self], 0, rel);
        fence(sc);
        while (load(turn, acq) != self)
          sched_yield();
        store(wants[self], 1, rel);
        fence(sc);
      }
    }
    inside = self;
    assert(inside == self);
    store(turn, 1 - self, rel);
    store(wants[self], 0, rel);
  }
  return number;
}

int main(int count, char **arguments) {
  int threads = count > 1 ? atoi(arguments[1]) : 2;
  body *bodies[64];
  for (int i = 0; i < threads; i++)
    bodies[i] = process;
  run(threads, bodies);
  return 0;
}
