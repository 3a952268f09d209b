/* title: what is taken for granted about freed memory is named
 * check: holds
 * explore: holds
 * assumes: freed memory is used again only by malloc and new, for objects of the same size
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;

static void *take(void *unused) {
  free(atomic_exchange(&shared, NULL));
  return NULL;
}

int main(void) {
  int *mine = malloc(sizeof *mine), *empty = NULL;
  *mine = 1;
  assert(atomic_compare_exchange_strong(&shared, &empty, mine));
  pthread_t thread;
  pthread_create(&thread, NULL, take, NULL);
  pthread_join(thread, NULL);
  assert(atomic_load(&shared) == NULL);
}
