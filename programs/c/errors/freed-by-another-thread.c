/*! expect: holds */
/* One thread frees an object, and another one gets the same memory: the `free` happens before that `malloc`, so nothing that the
 * threads do with their objects races. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;

static void *taker(void *unused) {
  int *mine = atomic_exchange(&shared, NULL);
  if (!mine) return NULL;
  assert(*mine == 1);
  *mine = 2;
  free(mine);
  return NULL;
}

static void *maker(void *unused) {
  int *mine = malloc(sizeof *mine), *empty = NULL;
  *mine = 1;
  if (!atomic_compare_exchange_strong(&shared, &empty, mine)) free(mine);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  maker(NULL);
  pthread_create(&threads[0], NULL, taker, NULL);
  pthread_create(&threads[1], NULL, maker, NULL);
  pthread_create(&threads[2], NULL, taker, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}
