//! title: SB with SC fences
//! source: paper 000, example 1.1
//! expect: robust
#include "../threads.h"

atomic_int x, y;
int a, b;

static void *first(void *unused) {
  store(x, 1, rel);
  fence(sc);
  a = load(y, acq);
  return unused;
}

static void *second(void *unused) {
  store(y, 1, rel);
  fence(sc);
  b = load(x, acq);
  return unused;
}

int main(void) {
  run2(first, second);
  return 0;
}
