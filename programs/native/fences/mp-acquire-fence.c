//! title: a release store, and an acquire fence
//! expect: no race
#include "../threads.h"

int data, seen;
atomic_int flag;

static void *writer(void *unused) {
  data = 1;
  store(flag, 1, rel);
  return unused;
}

static void *reader(void *unused) {
  while (load(flag, rlx) != 1)
    sched_yield();
  fence(acq);
  seen = data;
  return unused;
}

int main(void) {
  run2(writer, reader);
  return 0;
}
