//! title: an RMW that a write cannot come before: it would have to come between it and what it reads
//! source: paper 000, example 4.1
//! expect: robust
#include "../threads.h"

atomic_int x, y;
int a, b;

static void *first(void *unused) {
  a = fetch_add(x, 1, acq_rel);
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
