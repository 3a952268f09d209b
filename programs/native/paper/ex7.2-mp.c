//! title: MP with 10^N writes to another location, N the first argument; prints its peak of memory in KiB
//! source: paper 000, example 7.2
//! expect: robust
#include <sys/resource.h>

#include "../threads.h"

atomic_int message, flag, other;
static long writes = 10;

static void *producer(void *unused) {
  for (long i = 0; i < writes; i++)
    store(other, (int)i, rlx);
  store(message, 1, rel);
  store(flag, 1, rel);
  return unused;
}

static void *consumer(void *unused) {
  while (load(flag, acq) != 1)
    sched_yield();
  assert(load(message, rlx) == 1);
  return unused;
}

int main(int count, char **arguments) {
  for (int n = count > 1 ? atoi(arguments[1]) : 1; n > 1; n--)
    writes *= 10;
  run2(producer, consumer);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%ld\n", usage.ru_maxrss);
  return 0;
}
