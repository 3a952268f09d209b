/*! expect: use-after-free at 53 */
/* A Treiber stack without tags. A hazard flag keeps `slow` from reading a node that was freed, but not from taking a new node
 * at the same address for the old one: it then puts back a node that `fast` has freed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};
static _Atomic(struct node *) head;
static atomic_int looked;

static struct node *make(int value, struct node *next) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  node->next = next;
  return node;
}

static void *slow(void *unused) {
  struct node *top = atomic_load(&head), *next = top->next;
  atomic_store(&looked, 1); /* From here on `top` is only compared. */
  atomic_compare_exchange_strong(&head, &top, next);
  return NULL;
}

static void *fast(void *unused) {
  while (!atomic_load(&looked)) {}
  struct node *a = atomic_load(&head);
  if (!atomic_compare_exchange_strong(&head, &a, a->next)) return NULL;
  struct node *b = atomic_load(&head);
  if (!b || !atomic_compare_exchange_strong(&head, &b, b->next)) return NULL;
  free(a);
  free(b);
  struct node *node = make(3, NULL);
  node->next = atomic_load(&head);
  while (!atomic_compare_exchange_strong(&head, &node->next, node)) {}
  return NULL;
}

int main(void) {
  head = make(1, make(2, NULL));
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, slow, NULL);
  pthread_create(&threads[1], NULL, fast, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  /* A node that the stack still has was not freed. */
  struct node *top = atomic_load(&head);
  if (top) assert(top->value > 0);
}
