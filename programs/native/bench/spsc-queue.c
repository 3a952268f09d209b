/* Lamport's ring, one producer and one consumer, twice. */
#include "bench.h"

#define SIZE 1024
#define ITEMS 600000

static struct {
  atomic_uint head, tail;
  long items[SIZE];
} rings[2];
static long sums[2];

static void *produce(void *number) {
  long ring = (long)number / 2;
  for (unsigned i = 0; i < ITEMS; i++) {
    while (i - load(rings[ring].head, acq) == SIZE)
      sched_yield();
    rings[ring].items[i % SIZE] = i;
    store(rings[ring].tail, i + 1, rel);
  }
  return NULL;
}

static void *consume(void *number) {
  long ring = (long)number / 2;
  for (unsigned i = 0; i < ITEMS; i++) {
    while (load(rings[ring].tail, acq) == i)
      sched_yield();
    sums[ring] += rings[ring].items[i % SIZE];
    store(rings[ring].head, i + 1, rel);
  }
  return NULL;
}

int main(void) {
  run(4, (body *[]){produce, consume, produce, consume});
  printf("%ld\n", sums[0] + sums[1]);
}
