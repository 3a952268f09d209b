/* What `std::future` waits on: the state of a promise. */
#include <bits/c++config.h>
#if _GLIBCXX_RELEASE > 15
#include_next <bits/atomic_futex.h>
#elif !defined _GLIBCXX_ATOMIC_FUTEX_H
#define _GLIBCXX_ATOMIC_FUTEX_H 1
#pragma GCC system_header

#include <atomic>
#include <bits/chrono.h>

#include <fencepost/waits.h>

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
/* What changes the value wakes all that wait for it, so nothing but the value counts. */
template <unsigned _Waiter_bit = 0x80000000> class __atomic_futex_unsigned {
  atomic<unsigned> _M_data;

public:
  explicit __atomic_futex_unsigned(unsigned __data) : _M_data(__data) {}

  unsigned _M_load(memory_order __order) { return _M_data.load(__order); }
  unsigned _M_load_when_not_equal(unsigned __value, memory_order) {
    return static_cast<unsigned>(__fencepost_wait(&_M_data, __value, 4, 1, __ATOMIC_ACQUIRE));
  }
  void _M_load_when_equal(unsigned __value, memory_order) {
    __fencepost_wait(&_M_data, __value, 4, 0, __ATOMIC_ACQUIRE);
  }
  /* Time may run out at any moment. */
  template <typename _Time> bool _M_load_when_equal_for(unsigned __value, memory_order __order, const _Time &) {
    return _M_load(__order) == __value;
  }
  template <typename _Time> bool _M_load_when_equal_until(unsigned __value, memory_order __order, const _Time &) {
    return _M_load(__order) == __value;
  }
  void _M_store_notify_all(unsigned __value, memory_order __order) { _M_data.store(__value, __order); }
};
_GLIBCXX_END_NAMESPACE_VERSION
}
#endif
