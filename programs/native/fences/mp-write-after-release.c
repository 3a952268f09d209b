//! title: what is written after the release is not released
//! expect: race
#include "../threads.h"

int data, seen;
atomic_int flag;

static void *writer(void *unused) {
  store(flag, 1, rel);
  data = 1;
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
