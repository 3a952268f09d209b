//! title: 2+2W: both first writes may come last
//! source: paper 000, example 7.1
//! expect: stale-write
#include "../threads.h"

atomic_int x, y;
int a, b;

static void *first(void *unused) {
  store(x, 1, rel);
  store(y, 2, rel);
  a = load(y, rlx);
  return unused;
}

static void *second(void *unused) {
  store(y, 1, rel);
  store(x, 2, rel);
  b = load(x, rlx);
  return unused;
}

int main(void) {
  run2(first, second);
  return 0;
}
