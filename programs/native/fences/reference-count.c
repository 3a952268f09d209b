//! title: a reference count whose last user frees
//! expect: no race
#include "../threads.h"

struct object {
  atomic_int references;
  int values[2];
};

static struct object *object;

static void *user(void *number) {
  object->values[(long)number] = 1;
  if (fetch_sub(object->references, 1, acq_rel) == 1)
    free(object);
  return number;
}

int main(void) {
  object = calloc(1, sizeof *object);
  store(object->references, 2, rlx);
  run2(user, user);
  return 0;
}
