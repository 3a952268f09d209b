/* Treiber's stack of array indices, with a tag beside the top against reuse. */
#include "bench.h"

#define NODES 1024

static struct {
  atomic_uint next;
  long uses;
} nodes[NODES + 1];
static _Atomic uint64_t top;

static void push(uint32_t node) {
  uint64_t old = load(top, rlx), new;
  do {
    store(nodes[node].next, (uint32_t)old, rlx);
    new = ((old >> 32) + 1) << 32 | node;
  } while (!atomic_compare_exchange_weak_explicit(&top, &old, new, rel, rlx));
}

static uint32_t pop(void) {
  uint64_t old = load(top, acq), new;
  do {
    if (!(uint32_t)old)
      return 0;
    new = ((old >> 32) + 1) << 32 | load(nodes[(uint32_t)old].next, rlx);
  } while (!atomic_compare_exchange_weak_explicit(&top, &old, new, acq_rel, acq));
  return (uint32_t)old;
}

static void *work(void *unused) {
  for (int i = 0; i < 200000; i++) {
    uint32_t node = pop();
    if (node) {
      nodes[node].uses++;
      push(node);
    }
  }
  return NULL;
}

int main(void) {
  for (uint32_t i = 1; i <= NODES; i++)
    push(i);
  parallel(work);
  long uses = 0;
  for (int i = 1; i <= NODES; i++)
    uses += nodes[i].uses;
  printf("%ld\n", uses);
}
