/* The await functions of libvsync's vatomic as waits of Fencepost (docs/evidence/case-studies.md).
 *
 *   cmake -DCMAKE_C_COMPILER="fencepost;cc" -DCMAKE_C_FLAGS="-include .../libvsync-waits.h" ...
 *
 * vatomic lets an architecture bring its own await functions: each is defined unless a macro says that it is there already. Those
 * that wait for a value, or for any other value, are here; those that wait for more or less stay loops.
 */
#ifndef LIBVSYNC_WAITS_H
#define LIBVSYNC_WAITS_H

#ifndef __ASSEMBLER__
#include <fencepost.h>
#include <vsync/atomic/internal/types.h>

#define VATOMIC32_AWAIT_EQ
#define VATOMIC32_AWAIT_EQ_ACQ
#define VATOMIC32_AWAIT_EQ_RLX
#define VATOMIC32_AWAIT_NEQ
#define VATOMIC32_AWAIT_NEQ_ACQ
#define VATOMIC32_AWAIT_NEQ_RLX
#define VATOMIC64_AWAIT_EQ
#define VATOMIC64_AWAIT_EQ_ACQ
#define VATOMIC64_AWAIT_EQ_RLX
#define VATOMIC64_AWAIT_NEQ
#define VATOMIC64_AWAIT_NEQ_ACQ
#define VATOMIC64_AWAIT_NEQ_RLX
#define VATOMICPTR_AWAIT_EQ
#define VATOMICPTR_AWAIT_EQ_ACQ
#define VATOMICPTR_AWAIT_EQ_RLX
#define VATOMICPTR_AWAIT_NEQ
#define VATOMICPTR_AWAIT_NEQ_ACQ
#define VATOMICPTR_AWAIT_NEQ_RLX
#define VATOMIC32_AWAIT_EQ_SET_ACQ
#define VATOMIC32_AWAIT_EQ_SET_RLX

#define WAIT(name, type, value, wait, order)                                                                   \
  static inline value name(const type *a, value v) {                                                           \
    return (value)wait((volatile value *)&a->_v, v, order);                                        \
  }
#define WAITS(prefix, type, value)                                                                             \
  WAIT(prefix##_await_eq, type, value, fencepost_wait, __ATOMIC_SEQ_CST)                                       \
  WAIT(prefix##_await_eq_acq, type, value, fencepost_wait, __ATOMIC_ACQUIRE)                                   \
  WAIT(prefix##_await_eq_rlx, type, value, fencepost_wait, __ATOMIC_RELAXED)                                   \
  WAIT(prefix##_await_neq, type, value, fencepost_wait_not, __ATOMIC_SEQ_CST)                                  \
  WAIT(prefix##_await_neq_acq, type, value, fencepost_wait_not, __ATOMIC_ACQUIRE)                              \
  WAIT(prefix##_await_neq_rlx, type, value, fencepost_wait_not, __ATOMIC_RELAXED)
WAITS(vatomic32, vatomic32_t, vuint32_t)
WAITS(vatomic64, vatomic64_t, vuint64_t)
WAITS(vatomicptr, vatomicptr_t, void *)
#undef WAITS
#undef WAIT

static inline vuint32_t vatomic32_await_eq_set_acq(vatomic32_t *a, vuint32_t c, vuint32_t v) {
  fencepost_bcas(&a->_v, c, v, __ATOMIC_ACQUIRE);
  return c;
}

static inline vuint32_t vatomic32_await_eq_set_rlx(vatomic32_t *a, vuint32_t c, vuint32_t v) {
  fencepost_bcas(&a->_v, c, v, __ATOMIC_RELAXED);
  return c;
}
#endif

#endif
