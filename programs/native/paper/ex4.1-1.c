//! title: an RMW that a read may miss
//! source: paper 000, example 4.1
//! expect: stale-read
#include "../threads.h"

atomic_int x, y;
int a, b, c;

static void *first(void *unused) {
  a = fetch_add(x, 1, acq_rel);
  b = load(y, acq);
  return unused;
}

static void *second(void *unused) {
  store(y, 1, rel);
  c = load(x, acq);
  return unused;
}

int main(void) {
  run2(first, second);
  return 0;
}
