/* Waits for a notification of an atomic object, for the headers of both libraries. */
#ifndef __FENCEPOST_WAITS_H
#define __FENCEPOST_WAITS_H
#pragma GCC system_header

extern "C" {
/* Blocks until the condition is true or, where that cannot be told from here, gives the execution up. */
void __fencepost_assume(int condition) noexcept;
/* Blocks until the memory holds the value, or with `except` another one; until it holds at least `least`. The first is
 * declared as in <fencepost.h>. */
unsigned long __fencepost_wait(const volatile void *memory, unsigned long value, int size, int except, int order);
void __fencepost_add_when_ge(volatile void *memory, long operand, long least, int size, int order) noexcept;
/* See waiting.c of the library. */
int __fencepost_must_wait(const volatile void *address) noexcept;
void __fencepost_sleep(int still_there) noexcept;
int __fencepost_notify(const volatile void *address, int all) noexcept;
/* The lock that each address has; the ordering is that of both. */
void __fencepost_lock_beside(const volatile void *address, int order) noexcept;
void __fencepost_unlock_beside(const volatile void *address, int order) noexcept;
}

namespace __fencepost_waits {
template <unsigned long _Size> struct __word;
template <> struct __word<1> {
  typedef unsigned char __type;
};
template <> struct __word<2> {
  typedef unsigned short __type;
};
template <> struct __word<4> {
  typedef unsigned int __type;
};
template <> struct __word<8> {
  typedef unsigned long __type;
};

template <typename _Tp> bool __same(const _Tp &__a, const _Tp &__b) {
  if (__is_integral(_Tp) || __is_enum(_Tp) || __is_pointer(_Tp)) {
    typename __word<sizeof(_Tp)>::__type __x, __y;
    __builtin_memcpy(&__x, &__a, sizeof(_Tp));
    __builtin_memcpy(&__y, &__b, sizeof(_Tp));
    return __x == __y;
  }
  return __builtin_memcmp(&__a, &__b, sizeof(_Tp)) == 0;
}

/* What the object holds now: an update reads no old value. */
template <typename _Tp> _Tp __latest(const volatile _Tp *__address) {
  typedef typename __word<sizeof(_Tp)>::__type __bits;
  __bits __now = __atomic_fetch_or((volatile __bits *)__address, 0, __ATOMIC_RELAXED);
  _Tp __result;
  __builtin_memcpy(&__result, &__now, sizeof(_Tp));
  return __result;
}

/* Waits until the value is another one. */
template <typename _Tp, typename _ValFn>
void __wait_for_change(const volatile _Tp *__address, const _Tp &__old, _ValFn &__value) {
  while (__fencepost_must_wait(__address)) __fencepost_sleep(__same(__old, __latest(__address)));
  _Tp __now = __value();
  __fencepost_assume(!__same(__old, __now));
}
}
#endif
