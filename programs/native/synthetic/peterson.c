//! title: Peterson's mutual exclusion algorithm with release and acquire only
//! source: G. L. Peterson, "Myths about the mutual exclusion problem", Information Processing Letters 12(3), 1981
//! expect: not robust
#include "../threads.h"

enum { ROUNDS = 3 };

atomic_int flag[2], turn;
int inside;

static void *process(void *number) {
  int self = (int)(long)number;
  for (int i = 0; i < ROUNDS; i++) {
    store(flag[self], 1, rel);
    store(turn, 1 - self, rel);
    while (load(flag[1 - self], acq) && load(turn, acq) != self)
      sched_yield();
    inside = self;
    assert(inside == self);
    store(flag[self], 0, rel);
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
