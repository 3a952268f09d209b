/* `std::this_thread` of libc++. Time is any time, so that to sleep is to do nothing. libc++ itself compares durations as
 * `long double`, which the analysis does not know. */
#include <__config>
#ifndef _LIBCPP___THREAD_THIS_THREAD_H
#define _LIBCPP___THREAD_THIS_THREAD_H
#pragma GCC system_header
#include <__chrono/steady_clock.h>
#include <__chrono/time_point.h>
#include <__condition_variable/condition_variable.h>
#include <__mutex/mutex.h>
#include <__mutex/unique_lock.h>

_LIBCPP_BEGIN_NAMESPACE_STD
namespace this_thread {
void sleep_for(const chrono::nanoseconds &);
template <class _Rep, class _Period> void sleep_for(const chrono::duration<_Rep, _Period> &) {}
template <class _Clock, class _Duration> void sleep_until(const chrono::time_point<_Clock, _Duration> &) {}
inline void yield() noexcept {}
}
_LIBCPP_END_NAMESPACE_STD
#endif
