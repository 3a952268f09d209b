/* The queue lock of Mellor-Crummey and Scott: each thread waits at a place of its own. */
#include "bench.h"

struct node {
  _Atomic(struct node *) next;
  atomic_int waiting;
};

static _Atomic(struct node *) tail;
static long counter, slots[8];

static void lock(struct node *mine) {
  store(mine->next, NULL, rlx);
  store(mine->waiting, 1, rlx);
  struct node *before = exchange(tail, mine, acq_rel);
  if (before) {
    store(before->next, mine, rel);
    while (load(mine->waiting, acq))
      sched_yield();
  }
}

static void unlock(struct node *mine) {
  struct node *next = load(mine->next, acq);
  if (!next) {
    struct node *expected = mine;
    if (atomic_compare_exchange_strong_explicit(&tail, &expected, NULL, acq_rel, rlx))
      return;
    while (!(next = load(mine->next, acq)))
      sched_yield();
  }
  store(next->waiting, 0, rel);
}

static void *increment(void *unused) {
  static _Thread_local struct node mine;
  for (int i = 0; i < 150000; i++) {
    lock(&mine);
    counter++;
    slots[counter & 7] += counter;
    unlock(&mine);
  }
  return NULL;
}

int main(void) {
  parallel(increment);
  printf("%ld\n", counter);
}
