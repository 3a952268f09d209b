/* A sequence lock over eight relaxed words: one writer, three readers. */
#include "bench.h"

static atomic_uint sequence;
static atomic_long words[8];

static void *writer(void *unused) {
  for (long i = 1; i <= 30000; i++) {
    unsigned s = load(sequence, rlx);
    store(sequence, s + 1, rlx);
    fence(rel);
    for (int k = 0; k < 8; k++)
      store(words[k], i, rlx);
    store(sequence, s + 2, rel);
  }
  return NULL;
}

static void *reader(void *unused) {
  for (int i = 0; i < 60000; i++) {
    unsigned before, after;
    long first, sum;
    do {
      before = load(sequence, acq);
      first = load(words[0], rlx);
      sum = first;
      for (int k = 1; k < 8; k++)
        sum += load(words[k], rlx);
      fence(acq);
      after = load(sequence, rlx);
      if (before & 1)
        sched_yield();
    } while (before != after || before & 1);
    if (sum != first * 8)
      abort();
  }
  return NULL;
}

int main(void) {
  run(4, (body *[]){writer, reader, reader, reader});
  printf("%ld\n", load(words[0], rlx));
}
