//! title: a lock that does not acquire
//! expect: race
#include "../threads.h"

static atomic_int taken;
static int counter;

static void *worker(void *unused) {
  for (int i = 0; i < 10; i++) {
    while (exchange(taken, 1, rlx))
      sched_yield();
    counter++;
    store(taken, 0, rel);
  }
  return unused;
}

int main(void) {
  run2(worker, worker);
  return 0;
}
