/* `std::atomic::wait` of libstdc++, in terms of waits that the analysis knows. libstdc++ itself reads a value many times
 * before it sleeps, and keeps waiters in counters that other atomics share. */
#include <bits/c++config.h>
#if _GLIBCXX_RELEASE > 14
#include_next <bits/atomic_wait.h>
#elif !defined _GLIBCXX_ATOMIC_WAIT_H
#define _GLIBCXX_ATOMIC_WAIT_H 1
#pragma GCC system_header

#include <bits/functional_hash.h>
#include <bits/gthr.h>
#include <bits/std_mutex.h>
#include <ext/numeric_traits.h>
#include <fencepost/waits.h>

#if __cplusplus > 201703L
#ifndef __cpp_lib_atomic_wait
#define __cpp_lib_atomic_wait 201907L
#endif

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
namespace __detail {
inline void __thread_yield() noexcept {}
inline void __thread_relax() noexcept {}
}

template <typename _Tp, typename _ValFn>
void __atomic_wait_address_v(const _Tp *__address, _Tp __old, _ValFn __value) noexcept {
  __fencepost_waits::__wait_for_change(__address, __old, __value);
}
template <typename _Tp> void __atomic_notify_address(const _Tp *__address, bool __all) noexcept {
  __fencepost_notify(__address, __all);
}
_GLIBCXX_END_NAMESPACE_VERSION
}
#endif
#endif
