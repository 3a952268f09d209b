/* What a C or C++ program can tell Fencepost. Compiled by a usual compiler, assumptions end the program when they do not
 * hold, and waiting is a loop, so that the same file also runs. */
#ifndef FENCEPOST_H
#define FENCEPOST_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __FENCEPOST__

/* Gives up the execution when the condition is 0. */
void fencepost_assume(int condition);
/* Any value from low to high, both included, which are constants. */
int fencepost_choose(int low, int high);
void __fencepost_wait_eq(const volatile void *memory, long value, int size, int order);
void __fencepost_wait_ne(const volatile void *memory, long value, int size, int order);
void __fencepost_bcas(volatile void *memory, long expected, long desired, int size, int order);

/* Blocks until *(pointer) == (value), read with a constant ordering such as memory_order_acquire. */
#define fencepost_wait(pointer, value, order) __fencepost_wait_eq((pointer), (long)(value), sizeof(*(pointer)), (order))
#define fencepost_wait_not(pointer, value, order) \
  __fencepost_wait_ne((pointer), (long)(value), sizeof(*(pointer)), (order))
/* Blocks until a compare-and-swap from `expected` to `desired` succeeds. */
#define fencepost_bcas(pointer, expected, desired, order) \
  __fencepost_bcas((pointer), (long)(expected), (long)(desired), sizeof(*(pointer)), (order))

#else

#include <stdlib.h>
#define fencepost_assume(condition) ((condition) ? (void)0 : exit(0))
#define fencepost_choose(low, high) ((low) + rand() % ((high) - (low) + 1))
#define fencepost_wait(pointer, value, order) \
  do { } while (__atomic_load_n((pointer), (order)) != (value))
#define fencepost_wait_not(pointer, value, order) \
  do { } while (__atomic_load_n((pointer), (order)) == (value))
#define fencepost_bcas(pointer, expected, desired, order)                                                       \
  do {                                                                                                          \
    __typeof__(expected) fencepost_expected = (expected);                                                       \
    if (__atomic_compare_exchange_n((pointer), &fencepost_expected, (desired), 0, (order), __ATOMIC_RELAXED)) break; \
  } while (1)

#endif

#ifdef __cplusplus
}
#endif
#endif
