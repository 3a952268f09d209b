//! title: a relaxed RMW of another thread continues the release sequence
//! expect: no race
#include "../threads.h"

int data, seen;
atomic_int flag;

static void *writer(void *unused) {
  data = 1;
  store(flag, 1, rel);
  return unused;
}

static void *between(void *unused) {
  while (load(flag, rlx) != 1)
    sched_yield();
  fetch_add(flag, 1, rlx);
  return unused;
}

static void *reader(void *unused) {
  while (load(flag, acq) != 2)
    sched_yield();
  seen = data;
  return unused;
}

int main(void) {
  run3(writer, between, reader);
  return 0;
}
