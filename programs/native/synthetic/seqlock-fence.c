//! title: a sequence lock with an acquire fence in the reader
//! source: H.-J. Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012
//! expect: not robust
//! note: Only observationally robust, as programs/rc20/seqlock-fence.fp: the reads of the data may be stale, and are then thrown away.
#include "../threads.h"

#ifndef ROUNDS
#define ROUNDS 2
#endif

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

/* One writer; all others read. */
int main(int count, char **arguments) {
  int threads = count > 1 ? atoi(arguments[1]) : THREADS;
  body *bodies[64] = {writer};
  for (int i = 1; i < threads; i++)
    bodies[i] = reader;
  run(threads, bodies);
  return 0;
}
