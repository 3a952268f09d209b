/* Vyukov's bounded queue: a sequence number at every cell. */
#include "bench.h"

#define SIZE 256
#define ITEMS 200000

static struct {
  atomic_size_t sequence;
  long item;
} cells[SIZE];
static atomic_size_t head, tail;
static atomic_long sum;

static void enqueue(long item) {
  size_t at = load(tail, rlx);
  for (;;) {
    size_t sequence = load(cells[at % SIZE].sequence, acq);
    if (sequence == at) {
      if (atomic_compare_exchange_weak_explicit(&tail, &at, at + 1, rlx, rlx))
        break;
    } else {
      if (sequence < at)
        sched_yield();
      at = load(tail, rlx);
    }
  }
  cells[at % SIZE].item = item;
  store(cells[at % SIZE].sequence, at + 1, rel);
}

static long dequeue(void) {
  size_t at = load(head, rlx);
  for (;;) {
    size_t sequence = load(cells[at % SIZE].sequence, acq);
    if (sequence == at + 1) {
      if (atomic_compare_exchange_weak_explicit(&head, &at, at + 1, rlx, rlx))
        break;
    } else {
      if (sequence < at + 1)
        sched_yield();
      at = load(head, rlx);
    }
  }
  long item = cells[at % SIZE].item;
  store(cells[at % SIZE].sequence, at + SIZE, rel);
  return item;
}

static void *produce(void *unused) {
  for (long i = 0; i < ITEMS; i++)
    enqueue(i);
  return NULL;
}

static void *consume(void *unused) {
  long mine = 0;
  for (long i = 0; i < ITEMS; i++)
    mine += dequeue();
  fetch_add(sum, mine, rlx);
  return NULL;
}

int main(void) {
  for (size_t i = 0; i < SIZE; i++)
    store(cells[i].sequence, i, rlx);
  run(4, (body *[]){produce, consume, produce, consume});
  printf("%ld\n", sum);
}
