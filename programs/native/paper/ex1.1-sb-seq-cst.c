//! title: SB with SC accesses
//! source: paper 000, example 1.1
//! expect: robust
#include "../threads.h"

atomic_int x, y;
int a, b;

static void *first(void *unused) {
  store(x, 1, sc);
  a = load(y, sc);
  return unused;
}

static void *second(void *unused) {
  store(y, 1, sc);
  b = load(x, sc);
  return unused;
}

int main(void) {
  run2(first, second);
  return 0;
}
