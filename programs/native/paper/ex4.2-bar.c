//! title: a barrier of two loops
//! source: paper 000, example 4.2
//! expect: stale-read
#include "../threads.h"

atomic_int x, y;

static void *first(void *unused) {
  store(x, 1, rel);
  while (load(y, acq) != 1)
    sched_yield();
  return unused;
}

static void *second(void *unused) {
  store(y, 1, rel);
  while (load(x, acq) != 1)
    sched_yield();
  return unused;
}

int main(void) {
  run2(first, second);
  return 0;
}
