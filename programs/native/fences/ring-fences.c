//! title: the same with fences
//! expect: no race
#include "../threads.h"

enum { SIZE = 4, ITEMS = 40 };

static int ring[SIZE];
static atomic_uint head, tail;

static void *producer(void *unused) {
  for (unsigned i = 0; i < ITEMS; i++) {
    while (i - load(tail, acq) == SIZE)
      sched_yield();
    ring[i % SIZE] = i;
    fence(rel);
    store(head, i + 1, rlx);
  }
  return unused;
}

static void *consumer(void *unused) {
  unsigned sum = 0;
  for (unsigned i = 0; i < ITEMS; i++) {
    while (load(head, rlx) == i)
      sched_yield();
    fence(acq);
    sum += ring[i % SIZE];
    store(tail, i + 1, rel);
  }
  assert(sum == ITEMS * (ITEMS - 1) / 2);
  return unused;
}

int main(void) {
  run2(producer, consumer);
  return 0;
}
