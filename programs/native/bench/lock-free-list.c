/* A sorted list into which threads insert by CAS, and which they walk by acquire loads. */
#include "bench.h"

#define KEYS 800

struct node {
  _Atomic(struct node *) next;
  uint32_t key;
};

static struct node head;
static atomic_long found;

static void insert(uint32_t key) {
  struct node *new = malloc(sizeof *new);
  new->key = key;
  for (;;) {
    struct node *before = &head, *next;
    while ((next = load(before->next, acq)) && next->key < key)
      before = next;
    if (next && next->key == key) {
      free(new);
      return;
    }
    store(new->next, next, rlx);
    if (atomic_compare_exchange_strong_explicit(&before->next, &next, new, rel, rlx))
      return;
  }
}

static void *work(void *number) {
  uint32_t random = 17 + (long)number;
  long mine = 0;
  for (int i = 0; i < 3000; i++) {
    uint32_t key = next_random(&random) % KEYS;
    insert(key);
    struct node *node = load(head.next, acq);
    while (node && node->key < key)
      node = load(node->next, acq);
    mine += node && node->key == key;
  }
  fetch_add(found, mine, rlx);
  return NULL;
}

int main(void) {
  parallel(work);
  printf("%ld\n", found);
}
