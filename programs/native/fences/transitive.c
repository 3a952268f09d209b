//! title: each hands over to the next
//! expect: no race
#include "../threads.h"

int data, seen;
atomic_int flag;

atomic_int other;

static void *writer(void *unused) {
  data = 1;
  store(flag, 1, rel);
  return unused;
}

static void *between(void *unused) {
  while (load(flag, acq) != 1)
    sched_yield();
  store(other, 1, rel);
  return unused;
}

static void *reader(void *unused) {
  while (load(other, acq) != 1)
    sched_yield();
  seen = data;
  return unused;
}

int main(void) {
  run3(writer, between, reader);
  return 0;
}
