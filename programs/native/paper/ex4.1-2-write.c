//! title: the same with a plain write in place of the RMW
//! source: paper 000, example 4.1
//! expect: stale-read stale-write
//! note: the write of the thread that comes second may be overwritten by the first; the other way round, its read may be stale
#include "../threads.h"

atomic_int x, y;
int a, b;

static void *first(void *unused) {
  store(x, 1, rel);
  b = load(y, acq);
  return unused;
}

static void *second(void *unused) {
  store(y, 1, rel);
  store(x, 2, rel);
  return unused;
}

int main(void) {
  run2(first, second);
  return 0;
}
