/* Objects that threads share by counting: a relaxed increment, a decrement that releases, and an acquire before freeing. */
#include "bench.h"

struct object {
  atomic_int count;
  long value;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct object *shared;

static void drop(struct object *object) {
  if (fetch_sub(object->count, 1, acq_rel) == 1)
    free(object);
}

static struct object *get(void) {
  pthread_mutex_lock(&mutex);
  struct object *object = shared;
  fetch_add(object->count, 1, rlx);
  pthread_mutex_unlock(&mutex);
  return object;
}

static void replace(long value) {
  struct object *new = malloc(sizeof *new);
  atomic_init(&new->count, 1);
  new->value = value;
  pthread_mutex_lock(&mutex);
  struct object *old = shared;
  shared = new;
  pthread_mutex_unlock(&mutex);
  drop(old);
}

static void *work(void *number) {
  long sum = 0;
  for (int i = 0; i < 20000; i++) {
    if (i % 64 == 0)
      replace(i);
    struct object *object = get();
    for (int copies = 0; copies < 8; copies++) {
      fetch_add(object->count, 1, rlx);
      sum += object->value & 1;
      drop(object);
    }
    drop(object);
  }
  return (void *)sum;
}

int main(void) {
  shared = malloc(sizeof *shared);
  atomic_init(&shared->count, 1);
  shared->value = 0;
  parallel(work);
  drop(shared);
  puts("done");
}
