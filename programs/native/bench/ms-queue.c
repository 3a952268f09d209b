/* The queue of Michael and Scott. Nodes come from an array and are not used again, so that nothing has to be reclaimed. */
#include "bench.h"

#define ITEMS 100000

struct node {
  _Atomic(struct node *) next;
  long item;
};

static struct node nodes[2 * ITEMS + 1];
static _Atomic(struct node *) head, tail;
static atomic_long sum;

static void enqueue(struct node *node, long item) {
  node->item = item;
  store(node->next, NULL, rlx);
  for (;;) {
    struct node *last = load(tail, acq), *next = load(last->next, acq);
    if (next) {
      atomic_compare_exchange_strong_explicit(&tail, &last, next, rel, rlx);
    } else if (atomic_compare_exchange_strong_explicit(&last->next, &next, node, rel, rlx)) {
      atomic_compare_exchange_strong_explicit(&tail, &last, node, rel, rlx);
      return;
    }
  }
}

static int dequeue(long *item) {
  for (;;) {
    struct node *first = load(head, acq), *last = load(tail, acq), *next = load(first->next, acq);
    if (!next)
      return 0;
    if (first == last) {
      atomic_compare_exchange_strong_explicit(&tail, &last, next, rel, rlx);
      continue;
    }
    long found = next->item;
    if (atomic_compare_exchange_strong_explicit(&head, &first, next, acq_rel, rlx)) {
      *item = found;
      return 1;
    }
  }
}

static void *produce(void *number) {
  long half = (long)number / 2;
  for (long i = 0; i < ITEMS; i++)
    enqueue(&nodes[1 + half * ITEMS + i], i);
  return NULL;
}

static void *consume(void *unused) {
  long mine = 0, item;
  for (long i = 0; i < ITEMS; i++) {
    while (!dequeue(&item))
      sched_yield();
    mine += item;
  }
  fetch_add(sum, mine, rlx);
  return NULL;
}

int main(void) {
  store(head, &nodes[0], rlx);
  store(tail, &nodes[0], rlx);
  run(4, (body *[]){produce, consume, produce, consume});
  printf("%ld\n", sum);
}
