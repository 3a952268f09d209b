/* The exceptions that libc++ has compiled, and categories of errors. What `std::logic_error` and `std::runtime_error`
 * look like inside is known to the other part only: here they are made from a text. */

namespace std {
logic_error::logic_error(const string &text) : logic_error(text.c_str()) {}
runtime_error::runtime_error(const string &text) : runtime_error(text.c_str()) {}

bad_cast::bad_cast() noexcept {}
bad_typeid::bad_typeid() noexcept {}
bad_alloc::bad_alloc() noexcept {}
bad_array_new_length::bad_array_new_length() noexcept {}
bad_optional_access::~bad_optional_access() noexcept {}
const char *bad_optional_access::what() const noexcept { return "bad_optional_access"; }
const char *bad_variant_access::what() const noexcept { return "bad_variant_access"; }
const char *bad_any_cast::what() const noexcept { return "bad any cast"; }

exception_ptr::exception_ptr(const exception_ptr &other) noexcept : __ptr_(other.__ptr_) {
  __cxxabiv1::__cxa_increment_exception_refcount(__ptr_);
}
exception_ptr &exception_ptr::operator=(const exception_ptr &other) noexcept {
  __cxxabiv1::__cxa_increment_exception_refcount(other.__ptr_);
  __cxxabiv1::__cxa_decrement_exception_refcount(__ptr_);
  __ptr_ = other.__ptr_;
  return *this;
}
exception_ptr::~exception_ptr() noexcept { __cxxabiv1::__cxa_decrement_exception_refcount(__ptr_); }
exception_ptr exception_ptr::__from_native_exception_pointer(void *object) noexcept {
  exception_ptr pointer;
  __cxxabiv1::__cxa_increment_exception_refcount(object);
  pointer.__ptr_ = object;
  return pointer;
}
void rethrow_exception(exception_ptr pointer) {
  /* It has one member. */
  __cxxabiv1::__cxa_rethrow_primary_exception(*reinterpret_cast<void **>(&pointer));
  terminate();
}
nested_exception::nested_exception() noexcept : __ptr_(current_exception()) {}
void nested_exception::rethrow_nested() const {
  if (!__ptr_) terminate();
  rethrow_exception(__ptr_);
}

inline namespace __1 {
bad_function_call::~bad_function_call() noexcept {}
#ifdef _LIBCPP_ABI_BAD_FUNCTION_CALL_GOOD_WHAT_MESSAGE
const char *bad_function_call::what() const noexcept { return "std::bad_function_call"; }
#endif
bad_weak_ptr::~bad_weak_ptr() noexcept {}
const char *bad_weak_ptr::what() const noexcept { return "bad_weak_ptr"; }

error_category::~error_category() noexcept {}
error_condition error_category::default_error_condition(int error) const noexcept { return error_condition(error, *this); }
bool error_category::equivalent(int error, const error_condition &condition) const noexcept {
  return default_error_condition(error) == condition;
}
bool error_category::equivalent(const error_code &code, int error) const noexcept {
  return code.category() == *this && code.value() == error;
}
string error_code::message() const { return __cat_->message(__val_); }
string error_condition::message() const { return __cat_->message(__val_); }

namespace {
struct generic_error_category final : error_category {
  constexpr generic_error_category() = default;
  const char *name() const noexcept override { return "generic"; }
  string message(int error) const override { return __fencepost_text_of_error(error); }
};
struct system_error_category final : error_category {
  constexpr system_error_category() = default;
  const char *name() const noexcept override { return "system"; }
  string message(int error) const override { return __fencepost_text_of_error(error); }
  error_condition default_error_condition(int error) const noexcept override {
    if (error < 0 || error > 133) return error_condition(error, *this);
    return error_condition(error, generic_category());
  }
};
struct future_error_category final : error_category {
  constexpr future_error_category() = default;
  const char *name() const noexcept override { return "future"; }
  string message(int error) const override {
    switch (static_cast<future_errc>(error)) {
    case future_errc::broken_promise:
      return "The associated promise has been destructed prior to the associated state becoming ready.";
    case future_errc::future_already_retrieved:
      return "The future has already been retrieved from the promise or packaged_task.";
    case future_errc::promise_already_satisfied: return "The state of the promise has already been set.";
    case future_errc::no_state: return "Operation not permitted on an object without an associated state.";
    }
    return "unspecified future_errc value\n";
  }
};
/* Others may use them at the end, so nothing destroys them. */
[[clang::no_destroy]] constinit const generic_error_category the_generic_category;
[[clang::no_destroy]] constinit const system_error_category the_system_category;
[[clang::no_destroy]] constinit const future_error_category the_future_category;
}
const error_category &generic_category() noexcept { return the_generic_category; }
const error_category &system_category() noexcept { return the_system_category; }
const error_category &future_category() noexcept { return the_future_category; }

namespace {
string with_reason(string text, const error_code &code) {
  if (code && !text.empty()) text += ": ";
  return code ? text + code.message() : text;
}
}
system_error::system_error(error_code code, const string &text) : runtime_error(with_reason(text, code)), __ec_(code) {}
system_error::system_error(error_code code, const char *text) : runtime_error(with_reason(text, code)), __ec_(code) {}
system_error::system_error(error_code code) : runtime_error(with_reason("", code)), __ec_(code) {}
system_error::system_error(int error, const error_category &category, const string &text)
    : system_error(error_code(error, category), text) {}
system_error::system_error(int error, const error_category &category, const char *text)
    : system_error(error_code(error, category), text) {}
system_error::system_error(int error, const error_category &category) : system_error(error_code(error, category)) {}
system_error::~system_error() noexcept {}
void __throw_system_error(int error, const char *text) { throw system_error(error_code(error, generic_category()), text); }

future_error::future_error(error_code code) : logic_error(code.message()), __ec_(code) {}
future_error::~future_error() noexcept {}
}
}
