//! title: atomics of 1 to 16 bytes, with all operations
//! expect: nothing
//! options: -mcx16 -latomic
#include "../threads.h"

static _Atomic unsigned char b;
static _Atomic unsigned short s;
static _Atomic unsigned i;
static _Atomic unsigned long l;
static _Atomic unsigned __int128 w;
static _Atomic(char *) p;
static _Atomic double d;

#define ALL(x)                                                                                                 \
  fetch_add(x, 3, sc);                                                                                         \
  fetch_sub(x, 1, sc);                                                                                         \
  atomic_fetch_or(&x, 1);                                                                                      \
  atomic_fetch_xor(&x, 1);                                                                                     \
  atomic_fetch_xor(&x, 1);                                                                                     \
  atomic_fetch_and(&x, ~0ull);

static void *worker(void *unused) {
  for (int n = 0; n < 20; n++) {
    ALL(b) ALL(s) ALL(i) ALL(l)
    unsigned __int128 old = load(w, sc);
    while (!atomic_compare_exchange_weak(&w, &old, old + ((unsigned __int128)1 << 64) + 2))
      ;
    double before = load(d, sc);
    while (!atomic_compare_exchange_strong(&d, &before, before + 0.5))
      ;
    exchange(p, "x", sc);
  }
  return unused;
}

int main(void) {
  run2(worker, worker);
  printf("%d %d %lu %lu %g %s\n", load(b, rlx) > 0, load(s, rlx) > 0, (unsigned long)load(w, rlx),
         (unsigned long)(load(w, rlx) >> 64), load(d, rlx), load(p, acq));
  return 0;
}
