/*! expect: use-after-free at 60 */
/* As aba.c, but `popper` frees the nodes and `pusher` allocates one of them again. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};
static _Atomic(struct node *) head;
static atomic_int looked, popped;

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

static void *popper(void *unused) {
  if (!atomic_load(&looked)) return NULL;
  struct node *a = atomic_load(&head);
  if (!atomic_compare_exchange_strong(&head, &a, a->next)) return NULL;
  struct node *b = atomic_load(&head);
  if (!b || !atomic_compare_exchange_strong(&head, &b, b->next)) return NULL;
  free(a);
  free(b);
  atomic_store(&popped, 1);
  return NULL;
}

static void *pusher(void *unused) {
  if (!atomic_load(&popped)) return NULL;
  struct node *node = make(3, NULL);
  node->next = atomic_load(&head);
  while (!atomic_compare_exchange_strong(&head, &node->next, node)) {}
  return NULL;
}

int main(void) {
  head = make(1, make(2, NULL));
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, slow, NULL);
  pthread_create(&threads[1], NULL, popper, NULL);
  pthread_create(&threads[2], NULL, pusher, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  pthread_join(threads[2], NULL);
  /* A node that the stack still has was not freed. */
  struct node *top = atomic_load(&head);
  if (top) assert(top->value > 0);
}
