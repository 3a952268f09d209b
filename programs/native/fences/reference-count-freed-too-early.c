//! title: relaxed RMWs between fences: the values are ordered, but the other RMW is not before the free
//! expect: race
#include "../threads.h"

struct object {
  atomic_int references;
  int values[2];
};

static struct object *object;

static void *user(void *number) {
  object->values[(long)number] = 1;
  fence(rel);
  if (fetch_sub(object->references, 1, rlx) == 1) {
    fence(acq);
    free(object);
  }
  return number;
}

int main(void) {
  object = calloc(1, sizeof *object);
  store(object->references, 2, rlx);
  run2(user, user);
  return 0;
}
