/* The deque of Chase and Lev with the fences of Lê et al. (PPoPP 2013), one owner and three thieves. */
#include "bench.h"

#define SIZE 4096
#define ITEMS 400000

static atomic_long top, bottom;
static atomic_long items[SIZE];
static atomic_long sum, taken;

static void put(long item) {
  long b = load(bottom, rlx);
  while (b - load(top, acq) >= SIZE - 1)
    sched_yield();
  store(items[b % SIZE], item, rlx);
  fence(rel);
  store(bottom, b + 1, rlx);
}

static long take(void) {
  long b = load(bottom, rlx) - 1;
  store(bottom, b, rlx);
  fence(sc);
  long t = load(top, rlx), item = 0;
  if (t <= b) {
    item = load(items[b % SIZE], rlx);
    if (t < b)
      return item;
    if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, sc, rlx))
      item = 0;
  }
  store(bottom, b + 1, rlx);
  return item;
}

static long steal(void) {
  long t = load(top, acq);
  fence(sc);
  long b = load(bottom, acq);
  if (t >= b)
    return 0;
  long item = load(items[t % SIZE], rlx);
  return atomic_compare_exchange_strong_explicit(&top, &t, t + 1, sc, rlx) ? item : 0;
}

static void *owner(void *unused) {
  long mine = 0;
  for (long i = 1; i <= ITEMS; i++) {
    put(i);
    if (i % 2 == 0) {
      long item = take();
      if (item) {
        mine += item;
        fetch_add(taken, 1, rlx);
      }
    }
  }
  fetch_add(sum, mine, rlx);
  return NULL;
}

static void *thief(void *unused) {
  long mine = 0;
  while (load(taken, rlx) < ITEMS) {
    long item = steal();
    if (item) {
      mine += item;
      fetch_add(taken, 1, rlx);
    } else {
      sched_yield();
    }
  }
  fetch_add(sum, mine, rlx);
  return NULL;
}

int main(void) {
  run(4, (body *[]){owner, thief, thief, thief});
  printf("%ld\n", sum);
}
