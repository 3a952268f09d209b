//! title: a barrier of two waits
//! source: paper 000, example 4.2
//! expect: robust
#include <fencepost.h>
#include "../threads.h"

atomic_int x, y;

static void *first(void *unused) {
  store(x, 1, rel);
  fencepost_wait(&y, 1, acq);
  return unused;
}

static void *second(void *unused) {
  store(y, 1, rel);
  fencepost_wait(&x, 1, acq);
  return unused;
}

int main(void) {
  run2(first, second);
  return 0;
}
