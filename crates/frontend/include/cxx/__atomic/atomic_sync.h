/* `std::atomic::wait` of libc++, in terms of waits that the analysis knows. libc++ itself reads a value many times and
 * looks at a clock before it sleeps. */
#include <__config>
#if _LIBCPP_VERSION < 190000
#include_next <__atomic/atomic_sync.h>
#elif !defined __FENCEPOST_ATOMIC_SYNC
#define __FENCEPOST_ATOMIC_SYNC
#pragma GCC system_header
#define __atomic_wait __fencepost_other_atomic_wait
#define __atomic_notify_one __fencepost_other_atomic_notify_one
#define __atomic_notify_all __fencepost_other_atomic_notify_all
#include_next <__atomic/atomic_sync.h>
#undef __atomic_wait
#undef __atomic_notify_one
#undef __atomic_notify_all
#include <fencepost/waits.h>

_LIBCPP_BEGIN_NAMESPACE_STD
template <class _Waitable> const volatile void *__fencepost_address(const _Waitable &__object) {
  return __atomic_waitable_traits<__decay_t<_Waitable> >::__atomic_contention_address(__object);
}
template <class _Waitable, class _Up> void __atomic_wait(_Waitable &__object, _Up __old, memory_order __order) {
  auto __value = [&]() -> _Up { return __atomic_waitable_traits<__decay_t<_Waitable> >::__atomic_load(__object, __order); };
  auto __address = static_cast<const volatile _Up *>(std::__fencepost_address(__object));
  __fencepost_waits::__wait_for_change(__address, __old, __value);
}
template <class _Waitable> void __atomic_notify_one(const _Waitable &__object) {
  __fencepost_notify(std::__fencepost_address(__object), 0);
}
template <class _Waitable> void __atomic_notify_all(const _Waitable &__object) {
  __fencepost_notify(std::__fencepost_address(__object), 1);
}
_LIBCPP_END_NAMESPACE_STD
#endif
