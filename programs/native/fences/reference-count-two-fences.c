//! title: relaxed RMWs between fences, and a last user that only looks
//! expect: no race
#include "../threads.h"

struct object {
  atomic_int references;
  int values[2];
};

static struct object *object;
int seen;

static void *user(void *number) {
  object->values[(long)number] = 1;
  fence(rel);
  if (fetch_sub(object->references, 1, rlx) == 1) {
    fence(acq);
    seen = object->values[0] + object->values[1];
  }
  return number;
}

int main(void) {
  object = calloc(1, sizeof *object);
  store(object->references, 2, rlx);
  run2(user, user);
  return 0;
}
