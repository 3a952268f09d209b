//! title: the same, from a release fence to an acquire fence
//! expect: no race
#include "../threads.h"

int data, seen;
atomic_int flag;

static void *writer(void *unused) {
  data = 1;
  fence(rel);
  store(flag, 1, rlx);
  return unused;
}

static void *between(void *unused) {
  while (load(flag, rlx) != 1)
    sched_yield();
  fetch_add(flag, 1, rlx);
  return unused;
}

static void *reader(void *unused) {
  while (load(flag, rlx) != 2)
    sched_yield();
  fence(acq);
  seen = data;
  return unused;
}

int main(void) {
  run3(writer, between, reader);
  return 0;
}
