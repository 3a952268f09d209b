/* Atomic accesses to a `std::shared_ptr`, for libstdc++: under a lock that each has beside it. libstdc++ locks one bit of
 * the pointer, and its load unlocks with a relaxed store, which orders too little in C++'s own terms. */
#ifndef _SHARED_PTR_ATOMIC_H
#define _SHARED_PTR_ATOMIC_H 1
#pragma GCC system_header

#include <bits/atomic_base.h>
#include <fencepost/waits.h>

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
struct __fencepost_locked {
  const void *__address;
  int __order;
  __fencepost_locked(const void *__address, memory_order __order) noexcept
      : __address(__address), __order(__order == memory_order_seq_cst ? __ATOMIC_SEQ_CST : __ATOMIC_ACQ_REL) {
    __fencepost_lock_beside(__address, this->__order);
  }
  __fencepost_locked(const __fencepost_locked &) = delete;
  ~__fencepost_locked() { __fencepost_unlock_beside(__address, __order); }
};

/* What a pointer owns counts too. */
template <typename _Ptr> bool __fencepost_equivalent(const _Ptr &__a, const _Ptr &__b) noexcept {
  return !__a.owner_before(__b) && !__b.owner_before(__a);
}
template <typename _Tp> bool __fencepost_same_pointer(const shared_ptr<_Tp> &__a, const shared_ptr<_Tp> &__b) noexcept {
  return __a.get() == __b.get() && std::__fencepost_equivalent(__a, __b);
}
template <typename _Tp> bool __fencepost_same_pointer(const weak_ptr<_Tp> &__a, const weak_ptr<_Tp> &__b) noexcept {
  return std::__fencepost_equivalent(__a, __b) && __a.lock().get() == __b.lock().get();
}

template <typename _Tp> bool atomic_is_lock_free(const shared_ptr<_Tp> *) { return false; }
template <typename _Tp> shared_ptr<_Tp> atomic_load_explicit(const shared_ptr<_Tp> *__p, memory_order __order) {
  __fencepost_locked __lock(__p, __order);
  return *__p;
}
/* What is replaced is destroyed when the lock is free again. */
template <typename _Tp> void atomic_store_explicit(shared_ptr<_Tp> *__p, shared_ptr<_Tp> __r, memory_order __order) {
  __fencepost_locked __lock(__p, __order);
  __p->swap(__r);
}
template <typename _Tp>
shared_ptr<_Tp> atomic_exchange_explicit(shared_ptr<_Tp> *__p, shared_ptr<_Tp> __r, memory_order __order) {
  __fencepost_locked __lock(__p, __order);
  __p->swap(__r);
  return __r;
}
template <typename _Tp>
bool atomic_compare_exchange_strong_explicit(shared_ptr<_Tp> *__p, shared_ptr<_Tp> *__v, shared_ptr<_Tp> __w,
                                             memory_order __order, memory_order) {
  shared_ptr<_Tp> __old;
  __fencepost_locked __lock(__p, __order);
  if (std::__fencepost_same_pointer(*__p, *__v)) {
    __p->swap(__w);
    return true;
  }
  __v->swap(__old);
  *__v = *__p;
  return false;
}
template <typename _Tp>
bool atomic_compare_exchange_weak_explicit(shared_ptr<_Tp> *__p, shared_ptr<_Tp> *__v, shared_ptr<_Tp> __w,
                                           memory_order __order, memory_order __failure) {
  return std::atomic_compare_exchange_strong_explicit(__p, __v, std::move(__w), __order, __failure);
}
template <typename _Tp> shared_ptr<_Tp> atomic_load(const shared_ptr<_Tp> *__p) {
  return std::atomic_load_explicit(__p, memory_order_seq_cst);
}
template <typename _Tp> void atomic_store(shared_ptr<_Tp> *__p, shared_ptr<_Tp> __r) {
  std::atomic_store_explicit(__p, std::move(__r), memory_order_seq_cst);
}
template <typename _Tp> shared_ptr<_Tp> atomic_exchange(shared_ptr<_Tp> *__p, shared_ptr<_Tp> __r) {
  return std::atomic_exchange_explicit(__p, std::move(__r), memory_order_seq_cst);
}
template <typename _Tp>
bool atomic_compare_exchange_strong(shared_ptr<_Tp> *__p, shared_ptr<_Tp> *__v, shared_ptr<_Tp> __w) {
  return std::atomic_compare_exchange_strong_explicit(__p, __v, std::move(__w), memory_order_seq_cst,
                                                      memory_order_seq_cst);
}
template <typename _Tp>
bool atomic_compare_exchange_weak(shared_ptr<_Tp> *__p, shared_ptr<_Tp> *__v, shared_ptr<_Tp> __w) {
  return std::atomic_compare_exchange_strong(__p, __v, std::move(__w));
}

#if __cplusplus >= 202002L
#undef __cpp_lib_atomic_shared_ptr
#define __cpp_lib_atomic_shared_ptr 201711L

template <typename _Tp> struct atomic;

/* The same for `std::shared_ptr` and `std::weak_ptr`. */
template <typename _Ptr> class __fencepost_atomic_pointer {
  mutable _Ptr __value;

  bool __is(const _Ptr &__old) const noexcept {
    __fencepost_locked __lock(this, memory_order_acquire);
    return std::__fencepost_same_pointer(__value, __old);
  }

public:
  using value_type = _Ptr;
  static constexpr bool is_always_lock_free = false;
  bool is_lock_free() const noexcept { return false; }

  constexpr __fencepost_atomic_pointer() noexcept = default;
  __fencepost_atomic_pointer(_Ptr __desired) noexcept : __value(std::move(__desired)) {}
  __fencepost_atomic_pointer(const __fencepost_atomic_pointer &) = delete;
  void operator=(const __fencepost_atomic_pointer &) = delete;

  _Ptr load(memory_order __order = memory_order_seq_cst) const noexcept {
    __fencepost_locked __lock(this, __order);
    return __value;
  }
  operator _Ptr() const noexcept { return load(); }
  void store(_Ptr __desired, memory_order __order = memory_order_seq_cst) noexcept {
    __fencepost_locked __lock(this, __order);
    __value.swap(__desired);
  }
  void operator=(_Ptr __desired) noexcept { store(std::move(__desired)); }
  _Ptr exchange(_Ptr __desired, memory_order __order = memory_order_seq_cst) noexcept {
    __fencepost_locked __lock(this, __order);
    __value.swap(__desired);
    return __desired;
  }
  bool compare_exchange_strong(_Ptr &__expected, _Ptr __desired, memory_order __order = memory_order_seq_cst) noexcept {
    _Ptr __old;
    __fencepost_locked __lock(this, __order);
    if (std::__fencepost_same_pointer(__value, __expected)) {
      __value.swap(__desired);
      return true;
    }
    __expected.swap(__old);
    __expected = __value;
    return false;
  }
  bool compare_exchange_strong(_Ptr &__expected, _Ptr __desired, memory_order __order, memory_order) noexcept {
    return compare_exchange_strong(__expected, std::move(__desired), __order);
  }
  bool compare_exchange_weak(_Ptr &__expected, _Ptr __desired, memory_order __order = memory_order_seq_cst) noexcept {
    return compare_exchange_strong(__expected, std::move(__desired), __order);
  }
  bool compare_exchange_weak(_Ptr &__expected, _Ptr __desired, memory_order __order, memory_order) noexcept {
    return compare_exchange_strong(__expected, std::move(__desired), __order);
  }

  void wait(_Ptr __old, memory_order __order = memory_order_seq_cst) const noexcept {
    while (__fencepost_must_wait(this)) __fencepost_sleep(__is(__old));
    __fencepost_assume(!std::__fencepost_same_pointer(load(__order), __old));
  }
  void notify_one() noexcept { __fencepost_notify(this, 0); }
  void notify_all() noexcept { __fencepost_notify(this, 1); }
};

template <typename _Tp> struct atomic<shared_ptr<_Tp>> : __fencepost_atomic_pointer<shared_ptr<_Tp>> {
  using __fencepost_atomic_pointer<shared_ptr<_Tp>>::__fencepost_atomic_pointer;
  using __fencepost_atomic_pointer<shared_ptr<_Tp>>::operator=;
  constexpr atomic() noexcept = default;
  constexpr atomic(nullptr_t) noexcept {}
};
template <typename _Tp> struct atomic<weak_ptr<_Tp>> : __fencepost_atomic_pointer<weak_ptr<_Tp>> {
  using __fencepost_atomic_pointer<weak_ptr<_Tp>>::__fencepost_atomic_pointer;
  using __fencepost_atomic_pointer<weak_ptr<_Tp>>::operator=;
  constexpr atomic() noexcept = default;
};
#endif
_GLIBCXX_END_NAMESPACE_VERSION
}
#endif
