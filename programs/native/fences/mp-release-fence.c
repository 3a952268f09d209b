//! title: a release fence, and an acquire load
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
  while (load(flag, acq) != 1)
    sched_yield();
  seen = data;
  return unused;
}

int main(void) {
  run2(writer, reader);
  return 0;
}
