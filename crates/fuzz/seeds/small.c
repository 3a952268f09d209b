#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; _Atomic int value; short s; char c[3]; unsigned b : 5; };
static _Atomic(struct node *) top;
static _Thread_local int mine = 7;
static int table[4] = { 1, -2, 3 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static double f = 1.5;
static void *work(void *p) {
  struct node *n = malloc(sizeof *n);
  if (!n) return 0;
  memset(n, 0, sizeof *n);
  n->b = 3;
  n->next = atomic_load_explicit(&top, memory_order_acquire);
  while (!atomic_compare_exchange_weak(&top, &n->next, n)) {}
  pthread_mutex_lock(&m);
  table[mine & 3] += *(int *)p / 3;
  pthread_mutex_unlock(&m);
  f *= table[1];
  return n;
}
int main(void) {
  pthread_t t[2];
  int x = 5;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, &x);
  for (int i = 0; i < 2; i++) { void *n; pthread_join(t[i], &n); free(n); }
  switch (table[3]) { case 0: break; case 7: x = 2; break; default: x++; }
  assert(x != 9);
  return f > 100;
}
