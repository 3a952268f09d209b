//! title: an unlock that does not release
//! expect: race
#include "../threads.h"

static atomic_int taken;
static int counter;

static void *worker(void *unused) {
  for (int i = 0; i < 10; i++) {
    while (exchange(taken, 1, acq))
      sched_yield();
    counter++;
    store(taken, 0, rlx);
  }
  return unused;
}

int main(void) {
  run2(worker, worker);
  return 0;
}
