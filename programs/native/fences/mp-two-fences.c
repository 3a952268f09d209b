//! title: relaxed accesses, with a release fence before and an acquire fence after
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
