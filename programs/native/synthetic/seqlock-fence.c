//! title: a sequence lock with an acquire fence in the reader
//! source: H.-J. Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012
//! expect: not robust
//! note: Only observationally robust, as programs/rc20/seqlock-fence.fp: the reads of the data may be stale, and are then thrown away.
#include "../threads.h"

enum { ROUNDS = 2 };

atomic_int sequence, x, y;

static void *writer(void *unused) {
  for (int i = 1; i <= ROUNDS; i++) {
    store(sequence, 2 * i - 1, rlx);
    fence(rel);
    store(x, i, rlx);
    store(y, i, rlx);
    store(sequence, 2 * i, rel);
  }
  return unused;
}

static void *reader(void *unused) {
  for (int i = 0; i < ROUNDS; i++) {
    int before = load(sequence, acq);
    if (before % 2)
      continue;
    int first = load(x, rlx), second = load(y, rlx);
    fence(acq);
    if (load(sequence, rlx) == before)
      assert(first == second);
  }
  return unused;
}

int main(void) {
  run2(writer, reader);
  return 0;
}
