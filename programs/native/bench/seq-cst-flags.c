/* Peterson's lock for pairs of threads, with the default ordering of C everywhere. */
#include "bench.h"

static struct {
  atomic_int flags[2], turn;
  long counter;
} pairs[2];

static void *work(void *number) {
  long pair = (long)number / 2, me = (long)number % 2;
  for (int i = 0; i < 60000; i++) {
    pairs[pair].flags[me] = 1;
    pairs[pair].turn = 1 - me;
    while (pairs[pair].flags[1 - me] && pairs[pair].turn == 1 - me)
      sched_yield();
    pairs[pair].counter++;
    pairs[pair].flags[me] = 0;
  }
  return NULL;
}

int main(void) {
  parallel(work);
  printf("%ld\n", pairs[0].counter + pairs[1].counter);
}
