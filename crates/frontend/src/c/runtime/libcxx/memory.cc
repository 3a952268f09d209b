/* Counts of references, sizes of hash tables, and sorting: what libc++ has compiled of containers and pointers. */

namespace std {
inline namespace __1 {
__shared_count::~__shared_count() {}
__shared_weak_count::~__shared_weak_count() {}
/* A count is one less than the number of owners; all owners together are one weak owner. */
void __shared_weak_count::__release_weak() noexcept {
  if (__atomic_fetch_sub(&__shared_weak_owners_, 1, __ATOMIC_ACQ_REL) == 0) __on_zero_shared_weak();
}
/* The count of owners is private to the base, right after its table of functions. */
__shared_weak_count *__shared_weak_count::lock() noexcept {
  long *count = reinterpret_cast<long *>(this) + 1, owners = use_count() - 1;
  while (owners != -1)
    if (__atomic_compare_exchange_n(count, &owners, owners + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return this;
  return nullptr;
}
const void *__shared_weak_count::__get_deleter(const type_info &) const noexcept { return nullptr; }

/* The number of buckets of a hash table that is to have at least so many. */
size_t __next_prime(size_t least) {
  auto is_prime = [](size_t number) {
    for (size_t i = 3; i * i <= number; i += 2)
      if (number % i == 0) return false;
    return number % 2 != 0 || number == 2;
  };
  if (least < 2) return least == 0 ? 0 : 2;
  while (!is_prime(least)) least++;
  return least;
}

/* Only for numbers, and only in their own order. */
template <class _Less, class _Pointer> void __sort(_Pointer first, _Pointer last, _Less) {
  std::make_heap(first, last);
  std::sort_heap(first, last);
}
#define SORT(TYPE) template void __sort<__less<TYPE> &, TYPE *>(TYPE *, TYPE *, __less<TYPE> &);
SORT(char)
SORT(wchar_t)
SORT(signed char)
SORT(unsigned char)
SORT(short)
SORT(unsigned short)
SORT(int)
SORT(unsigned)
SORT(long)
SORT(unsigned long)
SORT(long long)
SORT(unsigned long long)
SORT(float)
SORT(double)
}
}

/* Functions for atomic access to a `shared_ptr` take the lock of the object. What they get stands for its address. */
namespace std {
inline namespace __1 {
__sp_mut &__get_sp_mut(const void *pointer) { return *static_cast<__sp_mut *>(const_cast<void *>(pointer)); }
void __sp_mut::lock() noexcept { __fencepost_lock_beside(this, __ATOMIC_ACQUIRE); }
void __sp_mut::unlock() noexcept { __fencepost_unlock_beside(this, __ATOMIC_RELEASE); }
}
}
