/* What a program can tell Fencepost. In an ordinary build, waits are loops, and the rest does what it says.
 *
 *   fencepost_wait(&x, v, order)        waits until x holds v, and returns it
 *   fencepost_wait_not(&x, v, order)    waits until x holds something else, and returns it
 *   fencepost_bcas(&x, v, w, order)     waits until it can replace v by w
 *   fencepost_assume(c)                 gives up this execution unless c
 *   fencepost_choose(low, high)         any number from low to high, both included
 *
 * A wait is not the same as a loop of loads: what a load reads that has to be repeated is of no consequence, so a stale
 * value is harmless unless it would end the wait (Margalit et al., Dynamic Robustness Verification Against Weak Memory,
 * PLDI 2025, section 4.3). x is an atomic of 1, 2, 4 or 8 bytes; orders are memory_order_relaxed and so on.
 */
#ifndef FENCEPOST_H
#define FENCEPOST_H

#include <stdint.h>
#include <stdlib.h>

#define FENCEPOST_FOR_SIZES(m) m(8, uint8_t) m(16, uint16_t) m(32, uint32_t) m(64, uint64_t)

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__FENCEPOST__) /* fencepost cc, fencepost c++ */

#define FENCEPOST_DECLARE(bits, type)                                                                          \
  type __fencepost_wait##bits(volatile void *x, type v, int except, int order);                                \
  void __fencepost_bcas##bits(volatile void *x, type v, type w, int order);

#else /* an ordinary build */

#define FENCEPOST_DECLARE(bits, type)                                                                          \
  static inline type __fencepost_wait##bits(volatile void *x, type v, int except, int order) {                 \
    type found;                                                                                                \
    (void)order;                                                                                               \
    do                                                                                                         \
      found = __atomic_load_n((volatile type *)x, __ATOMIC_SEQ_CST);                                           \
    while ((found == v) == (except != 0));                                                                     \
    return found;                                                                                              \
  }                                                                                                            \
  static inline void __fencepost_bcas##bits(volatile void *x, type v, type w, int order) {                     \
    type expected = v;                                                                                         \
    (void)order;                                                                                               \
    while (!__atomic_compare_exchange_n((volatile type *)x, &expected, w, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) \
      expected = v;                                                                                            \
  }

#endif

FENCEPOST_FOR_SIZES(FENCEPOST_DECLARE)

static inline uint64_t fencepost_wait_sized(volatile void *x, uint64_t v, int size, int except, int order) {
#define FENCEPOST_CASE(bits, type)                                                                             \
  if (size * 8 == bits)                                                                                        \
    return __fencepost_wait##bits(x, (type)v, except, order);
  FENCEPOST_FOR_SIZES(FENCEPOST_CASE)
#undef FENCEPOST_CASE
  abort();
}

static inline void fencepost_bcas_sized(volatile void *x, uint64_t v, uint64_t w, int size, int order) {
#define FENCEPOST_CASE(bits, type)                                                                             \
  if (size * 8 == bits) {                                                                                      \
    __fencepost_bcas##bits(x, (type)v, (type)w, order);                                                        \
    return;                                                                                                    \
  }
  FENCEPOST_FOR_SIZES(FENCEPOST_CASE)
#undef FENCEPOST_CASE
  abort();
}

#define fencepost_wait(x, v, order) fencepost_wait_sized((x), (uint64_t)(uintptr_t)(v), sizeof *(x), 0, (int)(order))
#define fencepost_wait_not(x, v, order)                                                                        \
  fencepost_wait_sized((x), (uint64_t)(uintptr_t)(v), sizeof *(x), 1, (int)(order))
#define fencepost_bcas(x, v, w, order)                                                                         \
  fencepost_bcas_sized((x), (uint64_t)(uintptr_t)(v), (uint64_t)(uintptr_t)(w), sizeof *(x), (int)(order))

/* A real run cannot be taken back, so it ends. */
static inline void fencepost_assume(int condition) {
  if (!condition)
    exit(0);
}

static inline int fencepost_choose(int low, int high) { return low + rand() % (high - low + 1); }

#ifdef __cplusplus
}
#endif

#endif
