/* new and delete. Forms that a program does not define itself call those that it does (C++ [new.delete]). */

#ifndef FAILING
#define FAILING 0
#endif

namespace std {
enum class align_val_t : size_type {};
struct nothrow_t {
  explicit nothrow_t() = default;
};
extern const nothrow_t nothrow;
const nothrow_t nothrow{};

using new_handler = void (*)();
static new_handler handler;
new_handler set_new_handler(new_handler replacement) noexcept {
  return __atomic_exchange_n(&handler, replacement, ACQ_REL);
}
new_handler get_new_handler() noexcept { return __atomic_load_n(&handler, ACQUIRE); }
}

/* Whether there is memory. If not, the handler may make room, or throw. */
static void make_room() {
  while (FAILING && fencepost_choose(0, 1)) {
    std::new_handler chosen = std::get_new_handler();
    if (!chosen) throw std::bad_alloc();
    chosen();
  }
}
/* Objects on the heap start at multiples of this, so that the allocator may use the same memory again. */
enum : size_type { HEAP_ALIGNMENT = 256 };
static void *allocate_aligned(size_type size, size_type alignment) {
  return alignment <= HEAP_ALIGNMENT ? __fencepost_alloc(size) : __fencepost_alloc_aligned(size, alignment);
}
template <typename F> static void *or_null(F allocate) noexcept {
  try {
    return allocate();
  } catch (...) {
    return nullptr;
  }
}

void *operator new(size_type size) {
  make_room();
  return __fencepost_alloc(size);
}
void *operator new[](size_type size) { return operator new(size); }
void *operator new(size_type size, const std::nothrow_t &) noexcept {
  return or_null([=] { return operator new(size); });
}
void *operator new[](size_type size, const std::nothrow_t &) noexcept {
  return or_null([=] { return operator new[](size); });
}
void *operator new(size_type size, std::align_val_t alignment) {
  make_room();
  return allocate_aligned(size, static_cast<size_type>(alignment));
}
void *operator new[](size_type size, std::align_val_t alignment) { return operator new(size, alignment); }
void *operator new(size_type size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  return or_null([=] { return operator new(size, alignment); });
}
void *operator new[](size_type size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  return or_null([=] { return operator new[](size, alignment); });
}

void operator delete(void *pointer) noexcept { __fencepost_free(pointer); }
void operator delete[](void *pointer) noexcept { operator delete(pointer); }
void operator delete(void *pointer, size_type) noexcept { operator delete(pointer); }
void operator delete[](void *pointer, size_type) noexcept { operator delete[](pointer); }
void operator delete(void *pointer, const std::nothrow_t &) noexcept { operator delete(pointer); }
void operator delete[](void *pointer, const std::nothrow_t &) noexcept { operator delete[](pointer); }
void operator delete(void *pointer, std::align_val_t) noexcept { __fencepost_free(pointer); }
void operator delete[](void *pointer, std::align_val_t alignment) noexcept { operator delete(pointer, alignment); }
void operator delete(void *pointer, size_type, std::align_val_t alignment) noexcept {
  operator delete(pointer, alignment);
}
void operator delete[](void *pointer, size_type, std::align_val_t alignment) noexcept {
  operator delete[](pointer, alignment);
}
void operator delete(void *pointer, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  operator delete(pointer, alignment);
}
void operator delete[](void *pointer, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  operator delete[](pointer, alignment);
}
