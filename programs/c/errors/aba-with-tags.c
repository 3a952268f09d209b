/*! expect: holds */
/* The stack of aba.c with a counter beside the index of its first node: an old top never compares equal to a new one. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  unsigned next;
};
static struct node *nodes[4];
static atomic_ulong head; /* the tag in the upper half, the number of the first node in the lower */
static atomic_int looked;

static unsigned index_of(unsigned long top) { return (unsigned)top; }
static unsigned long with(unsigned long top, unsigned index) { return ((top >> 32) + 1) << 32 | index; }

static void make(unsigned index, int value, unsigned next) {
  nodes[index] = malloc(sizeof *nodes[index]);
  nodes[index]->value = value;
  nodes[index]->next = next;
}

static void *slow(void *unused) {
  unsigned long top = atomic_load(&head);
  unsigned next = nodes[index_of(top)]->next;
  atomic_store(&looked, 1);
  atomic_compare_exchange_strong(&head, &top, with(top, next));
  return NULL;
}

static void *fast(void *unused) {
  while (!atomic_load(&looked)) {}
  unsigned long a = atomic_load(&head), top;
  struct node *first = nodes[index_of(a)];
  if (!atomic_compare_exchange_strong(&head, &a, with(a, first->next))) return NULL;
  unsigned long b = atomic_load(&head);
  if (!index_of(b)) return NULL;
  struct node *second = nodes[index_of(b)];
  if (!atomic_compare_exchange_strong(&head, &b, with(b, second->next))) return NULL;
  free(first);
  free(second);
  make(index_of(a), 3, 0);
  top = atomic_load(&head);
  nodes[index_of(a)]->next = index_of(top);
  atomic_compare_exchange_strong(&head, &top, with(top, index_of(a)));
  return NULL;
}

int main(void) {
  make(2, 2, 0);
  make(1, 1, 2);
  head = 1;
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, slow, NULL);
  pthread_create(&threads[1], NULL, fast, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  unsigned long top = atomic_load(&head);
  if (index_of(top)) assert(nodes[index_of(top)]->value > 0);
}
