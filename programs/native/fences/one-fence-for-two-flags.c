//! title: two writers, and one acquire fence after both flags
//! expect: no race
#include "../threads.h"

int first, second, seen;
static atomic_int flag_1, flag_2;

static void *writer_1(void *unused) {
  first = 1;
  store(flag_1, 1, rel);
  return unused;
}

static void *writer_2(void *unused) {
  second = 1;
  store(flag_2, 1, rel);
  return unused;
}

static void *reader(void *unused) {
  while (!load(flag_1, rlx) || !load(flag_2, rlx))
    sched_yield();
  fence(acq);
  seen = first + second;
  return unused;
}

int main(void) {
  run3(writer_1, writer_2, reader);
  return 0;
}
