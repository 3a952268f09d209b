//! title: SB with writes at the end, which hide it from an analysis without prediction
//! source: paper 000, example 3.1
//! expect: stale-read
//! note: A run in which both threads read what the other wrote has no from-read edge, so all of hbSC is hb, and nothing to report by
//! note: theorem 3.1. All other runs do, also those in which one thread ends before the other begins.
#include "../threads.h"

atomic_int x, y;
int a, b;

static void *first(void *unused) {
  store(x, 1, rel);
  a = load(y, acq);
  store(x, 2, rel);
  return unused;
}

static void *second(void *unused) {
  store(y, 1, rel);
  b = load(x, acq);
  store(y, 2, rel);
  return unused;
}

int main(void) {
  run2(first, second);
  printf("%d %d\n", a, b);
  return 0;
}
