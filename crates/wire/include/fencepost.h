/* What a C or C++ program can tell Fencepost. Every command reads this one file. In an ordinary build, waits are loops, and the
 * rest does what it says.
 *
 *   fencepost_wait(&x, v, order)        waits until x holds v, and returns it
 *   fencepost_wait_not(&x, v, order)    waits until x holds something else, and returns it
 *   fencepost_bcas(&x, v, w, order)     waits until it can replace v by w
 *   fencepost_assume(c)                 gives up this execution unless c; a real run cannot be taken back, so it ends
 *   fencepost_choose(low, high)         any number from low to high, both included
 *
 * A wait is not the same as a loop of loads: a load that has to be repeated has no effect, so a stale value is harmless unless
 * it would end the wait (Margalit et al., Dynamic Robustness Verification Against Weak Memory, PLDI 2025, section 4.3).
 *
 * x is an atomic of 1, 2, 4 or 8 bytes; v and w are integers or pointers. A wait returns the bits of x as a uint64_t. Orders are
 * memory_order_relaxed and so on. `check`, `explore` and `prove` take only constants for orders and for the bounds of a choice.
 */
#ifndef FENCEPOST_H
#define FENCEPOST_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __FENCEPOST__

uint64_t __fencepost_wait(const volatile void *x, uint64_t v, int size, int except, int order);
void __fencepost_bcas(volatile void *x, uint64_t v, uint64_t w, int size, int order);
void fencepost_assume(int condition);
int fencepost_choose(int low, int high);

#else /* an ordinary build */

#include <stdlib.h>

#define FENCEPOST_FOR_SIZES(m) m(1, uint8_t) m(2, uint16_t) m(4, uint32_t) m(8, uint64_t)

static inline uint64_t __fencepost_wait(const volatile void *x, uint64_t v, int size, int except, int order) {
#define FENCEPOST_WAIT(bytes, type)                                                                            \
  if (size == bytes) {                                                                                         \
    type found;                                                                                                \
    do                                                                                                         \
      found = __atomic_load_n((const volatile type *)x, order);                                                \
    while ((found == (type)v) == (except != 0));                                                               \
    return found;                                                                                              \
  }
  FENCEPOST_FOR_SIZES(FENCEPOST_WAIT)
#undef FENCEPOST_WAIT
  abort();
}

static inline void __fencepost_bcas(volatile void *x, uint64_t v, uint64_t w, int size, int order) {
#define FENCEPOST_BCAS(bytes, type)                                                                            \
  if (size == bytes) {                                                                                         \
    type expected = (type)v;                                                                                   \
    while (!__atomic_compare_exchange_n((volatile type *)x, &expected, (type)w, 0, order, __ATOMIC_RELAXED))   \
      expected = (type)v;                                                                                      \
    return;                                                                                                    \
  }
  FENCEPOST_FOR_SIZES(FENCEPOST_BCAS)
#undef FENCEPOST_BCAS
  abort();
}

static inline void fencepost_assume(int condition) {
  if (!condition)
    exit(0);
}

static inline int fencepost_choose(int low, int high) { return low + rand() % (high - low + 1); }

#endif

/* The size of *x, if it is one of those that are supported; otherwise this does not compile. */
#define FENCEPOST_SIZE(x) \
  ((int)(sizeof *(x) * sizeof(char[sizeof *(x) <= 8 && (sizeof *(x) & (sizeof *(x) - 1)) == 0 ? 1 : -1])))
#define FENCEPOST_BITS(v) ((uint64_t)(uintptr_t)(v))

#define fencepost_wait(x, v, order) \
  __fencepost_wait((x), FENCEPOST_BITS(v), FENCEPOST_SIZE(x), 0, (int)(order))
#define fencepost_wait_not(x, v, order) \
  __fencepost_wait((x), FENCEPOST_BITS(v), FENCEPOST_SIZE(x), 1, (int)(order))
#define fencepost_bcas(x, v, w, order) \
  __fencepost_bcas((x), FENCEPOST_BITS(v), FENCEPOST_BITS(w), FENCEPOST_SIZE(x), (int)(order))

#ifdef __cplusplus
}
#endif

#endif
