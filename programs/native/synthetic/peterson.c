//! title: Peterson's mutual exclusion algorithm with release and acquire only
//! source: G. L. Peterson, "Myths about the mutual exclusion problem", Information Processing Letters 12(3), 1981
//! expect: not robust
#include "../threads.h"

#ifndef ROUNDS
#define ROUNDS 3
#endif

/* Threads come in pairs, each with a lock of its own. */
static struct pair {
  atomic_int flag[2], turn;
  int inside;
} pairs[32];

static void *process(void *number) {
  int self = (int)(long)number % 2;
  struct pair *pair = &pairs[(long)number / 2];
  for (int i = 0; i < ROUNDS; i++) {
    store(pair->flag[self], 1, rel);
    store(pair->turn, 1 - self, rel);
    while (load(pair->flag[1 - self], acq) && load(pair->turn, acq) != self)
      sched_yield();
    pair->inside = self;
    assert(pair->inside == self);
    store(pair->flag[self], 0, rel);
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
