//! title: Peterson's mutual exclusion algorithm with seq_cst accesses
//! source: G. L. Peterson, "Myths about the mutual exclusion problem", Information Processing Letters 12(3), 1981
//! expect: robust
#include "../threads.h"

enum { ROUNDS = 3 };

atomic_int flag[2], turn;
int inside;

static void *process(void *number) {
  int self = (int)(long)number;
  for (int i = 0; i < ROUNDS; i++) {
    store(flag[self], 1, sc);
    store(turn, 1 - self, sc);
    while (load(flag[1 - self], sc) && load(turn, sc) != self)
      sched_yield();
    inside = self;
    assert(inside == self);
    store(flag[self], 0, sc);
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
