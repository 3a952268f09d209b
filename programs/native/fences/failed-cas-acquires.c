//! title: a CAS that fails, and acquires then
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
  int expected = 0;
  while (atomic_compare_exchange_strong_explicit(&flag, &expected, 0, acq_rel, acq)) {
    sched_yield();
    expected = 0;
  }
  seen = data;
  return unused;
}

int main(void) {
  run2(writer, reader);
  return 0;
}
