//! title: a relaxed store of the same thread ends the release sequence (C++20, RC11)
//! expect: race
#include "../threads.h"

int data, seen;
atomic_int flag;

static void *writer(void *unused) {
  data = 1;
  store(flag, 1, rel);
  store(flag, 2, rlx);
  return unused;
}

static void *reader(void *unused) {
  while (load(flag, acq) != 2)
    sched_yield();
  seen = data;
  return unused;
}

int main(void) {
  run2(writer, reader);
  return 0;
}
