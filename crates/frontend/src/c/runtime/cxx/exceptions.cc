/* Exceptions (Itanium C++ ABI: Exception Handling, level II). The analysis goes from call to call and asks here what a handler
 * catches; see exceptions.rs. */
#include "typeinfo.h"

/* The exception on its way in this thread: a pointer to the `mark` of what was thrown. */
__thread void *__fencepost_in_flight;

typedef void (*terminate_handler)();

namespace {
/* A throw. Those of one exception, by `std::rethrow_exception`, share the object. */
struct Thrown {
  /* Of the first throw: the object's type, how it ends, and how many throws and pointers hold it. */
  const std::type_info *type;
  void (*destroy)(void *);
  long references;
  Thrown *first;
  /* What the handler gets, how many handlers are active, negative while it is thrown again, and the next one that is caught. */
  void *adjusted;
  long handlers;
  Thrown *below;
  long unused;
  /* Compilers rely on its size: the object comes right after it. */
  char mark[32];
};

void *object_of(Thrown *thrown) { return thrown + 1; }
Thrown *thrown_of(void *object) { return (Thrown *)object - 1; }
Thrown *marked(void *mark) { return (Thrown *)((char *)mark + sizeof(Thrown::mark)) - 1; }

/* What this thread has caught, and how many of its exceptions are on their way. */
__thread Thrown *caught;
__thread int on_their_way;

terminate_handler handler;

void hold(Thrown *first) { __atomic_fetch_add(&first->references, 1, __ATOMIC_RELAXED); }
void let_go(Thrown *first) {
  if (__atomic_fetch_sub(&first->references, 1, __ATOMIC_ACQ_REL) != 1) return;
  if (first->destroy) first->destroy(object_of(first));
  __fencepost_free(first);
}
} // namespace

namespace std {
terminate_handler set_terminate(terminate_handler next) noexcept { return __atomic_exchange_n(&handler, next, __ATOMIC_ACQ_REL); }
terminate_handler get_terminate() noexcept { return __atomic_load_n(&handler, __ATOMIC_ACQUIRE); }
[[noreturn]] void terminate() noexcept {
  if (terminate_handler chosen = get_terminate()) chosen();
  if (caught || on_their_way) __fencepost_uncaught();
  __fencepost_abort();
  __builtin_unreachable();
}
[[noreturn]] void unexpected() { terminate(); }
bool uncaught_exception() noexcept { return on_their_way != 0; }
int uncaught_exceptions() noexcept { return on_their_way; }
} // namespace std

namespace __cxxabiv1 {
extern "C" {
void *__cxa_allocate_exception(size_type size) noexcept {
  Thrown *thrown = (Thrown *)__fencepost_alloc_zeroed(sizeof(Thrown) + size);
  return object_of(thrown);
}
void __cxa_free_exception(void *object) noexcept { __fencepost_free(thrown_of(object)); }
void *__cxa_init_primary_exception(void *object, std::type_info *type, void (*destroy)(void *)) noexcept {
  Thrown *thrown = thrown_of(object);
  thrown->type = type;
  thrown->destroy = destroy;
  thrown->first = thrown;
  return thrown;
}
void __cxa_throw(void *object, std::type_info *type, void (*destroy)(void *)) {
  Thrown *thrown = (Thrown *)__cxa_init_primary_exception(object, type, destroy);
  thrown->references = 1;
  on_their_way++;
  __fencepost_unwind(thrown->mark);
}
int __fencepost_catches(void *mark, const std::type_info *handler) {
  Thrown *thrown = marked(mark), *first = thrown->first;
  void *object = object_of(first);
  if (first->type->is_pointer()) object = *(void **)object;
  if (!handler->catches(first->type, &object)) return 0;
  thrown->adjusted = object;
  return 1;
}
void *__cxa_get_exception_ptr(void *mark) noexcept { return marked(mark)->adjusted; }
void *__cxa_begin_catch(void *mark) noexcept {
  Thrown *thrown = marked(mark);
  thrown->handlers = (thrown->handlers < 0 ? -thrown->handlers : thrown->handlers) + 1;
  on_their_way--;
  /* One that is thrown again by its handler is there already. */
  if (caught != thrown) {
    thrown->below = caught;
    caught = thrown;
  }
  return thrown->adjusted;
}
void __cxa_end_catch() {
  Thrown *thrown = caught;
  if (!thrown) return;
  if (thrown->handlers < 0) {
    if (++thrown->handlers == 0) caught = thrown->below;
    return;
  }
  if (--thrown->handlers > 0) return;
  caught = thrown->below;
  Thrown *first = thrown->first;
  if (first != thrown) __fencepost_free(thrown);
  let_go(first);
}
void __cxa_rethrow() {
  Thrown *thrown = caught;
  if (!thrown) std::terminate();
  thrown->handlers = -thrown->handlers;
  on_their_way++;
  __fencepost_unwind(thrown->mark);
}
std::type_info *__cxa_current_exception_type() { return caught ? (std::type_info *)caught->first->type : nullptr; }
[[noreturn]] void __cxa_call_unexpected(void *mark) {
  __cxa_begin_catch(mark);
  std::terminate();
}
[[noreturn]] void __cxa_call_terminate(void *mark) noexcept {
  if (mark) __cxa_begin_catch(mark);
  std::terminate();
}

/* The exceptions that std::exception_ptr points to. */
void __cxa_increment_exception_refcount(void *object) noexcept {
  if (object) hold(thrown_of(object));
}
void __cxa_decrement_exception_refcount(void *object) noexcept {
  if (object) let_go(thrown_of(object));
}
void *__cxa_current_primary_exception() noexcept {
  if (!caught) return nullptr;
  hold(caught->first);
  return object_of(caught->first);
}
void __cxa_rethrow_primary_exception(void *object) {
  if (!object) return;
  Thrown *again = (Thrown *)__fencepost_alloc_zeroed(sizeof(Thrown));
  again->first = thrown_of(object);
  hold(again->first);
  on_their_way++;
  __fencepost_unwind(again->mark);
}
}
} // namespace __cxxabiv1

namespace std {
namespace __exception_ptr {
class exception_ptr {
  void *object;

public:
  exception_ptr() noexcept;
  explicit exception_ptr(void *object) noexcept;
  exception_ptr(decltype(nullptr)) noexcept;
  exception_ptr(const exception_ptr &other) noexcept;
  exception_ptr &operator=(const exception_ptr &other) noexcept;
  ~exception_ptr() noexcept;
  void _M_addref() noexcept;
  void _M_release() noexcept;
  void *_M_get() const noexcept;
  void swap(exception_ptr &other) noexcept;
  bool operator!() const noexcept;
  const type_info *__cxa_exception_type() const noexcept;
};
exception_ptr::exception_ptr() noexcept : object(nullptr) {}
exception_ptr::exception_ptr(void *object) noexcept : object(object) { _M_addref(); }
exception_ptr::exception_ptr(decltype(nullptr)) noexcept : object(nullptr) {}
exception_ptr::exception_ptr(const exception_ptr &other) noexcept : object(other.object) { _M_addref(); }
exception_ptr &exception_ptr::operator=(const exception_ptr &other) noexcept {
  exception_ptr copy(other);
  swap(copy);
  return *this;
}
exception_ptr::~exception_ptr() noexcept { _M_release(); }
void exception_ptr::_M_addref() noexcept { __cxxabiv1::__cxa_increment_exception_refcount(object); }
void exception_ptr::_M_release() noexcept {
  __cxxabiv1::__cxa_decrement_exception_refcount(object);
  object = nullptr;
}
void *exception_ptr::_M_get() const noexcept { return object; }
void exception_ptr::swap(exception_ptr &other) noexcept {
  void *mine = object;
  object = other.object;
  other.object = mine;
}
bool exception_ptr::operator!() const noexcept { return !object; }
const type_info *exception_ptr::__cxa_exception_type() const noexcept { return thrown_of(object)->type; }
bool operator==(const exception_ptr &a, const exception_ptr &b) noexcept { return a._M_get() == b._M_get(); }
bool operator!=(const exception_ptr &a, const exception_ptr &b) noexcept { return a._M_get() != b._M_get(); }
} // namespace __exception_ptr
using __exception_ptr::exception_ptr;

exception_ptr current_exception() noexcept {
  exception_ptr current;
  void *object = __cxxabiv1::__cxa_current_primary_exception();
  if (!object) return current;
  exception_ptr held(object);
  __cxxabiv1::__cxa_decrement_exception_refcount(object);
  return held;
}
[[noreturn]] void rethrow_exception(exception_ptr pointer) {
  __cxxabiv1::__cxa_rethrow_primary_exception(pointer._M_get());
  terminate();
}
class nested_exception {
  exception_ptr pointer;

public:
  virtual ~nested_exception() noexcept;
};
nested_exception::~nested_exception() noexcept {}

/* The exceptions of the language itself. */
class exception {
public:
  virtual ~exception() noexcept;
  virtual const char *what() const noexcept;
};
exception::~exception() noexcept {}
const char *exception::what() const noexcept { return "std::exception"; }
class bad_exception : public exception {
public:
  ~bad_exception() noexcept override;
  const char *what() const noexcept override;
};
bad_exception::~bad_exception() noexcept {}
const char *bad_exception::what() const noexcept { return "std::bad_exception"; }
class bad_cast : public exception {
public:
  ~bad_cast() noexcept override;
  const char *what() const noexcept override;
};
bad_cast::~bad_cast() noexcept {}
const char *bad_cast::what() const noexcept { return "std::bad_cast"; }
class bad_typeid : public exception {
public:
  ~bad_typeid() noexcept override;
  const char *what() const noexcept override;
};
bad_typeid::~bad_typeid() noexcept {}
const char *bad_typeid::what() const noexcept { return "std::bad_typeid"; }
} // namespace std

extern "C" [[noreturn]] void __cxa_bad_cast() { throw std::bad_cast(); }
extern "C" [[noreturn]] void __cxa_bad_typeid() { throw std::bad_typeid(); }
