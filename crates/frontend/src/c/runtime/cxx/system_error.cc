/* <system_error>: categories of errors. */

/* What glibc says of the errors that threads and locks have. To call `strerror` here would have the part of the library that is
 * about text compiled for every program in C++. */
extern "C" const char *__fencepost_text_of_error(int error) {
  switch (error) {
  case 0: return "Success";
  case 1: return "Operation not permitted";
  case 3: return "No such process";
  case 11: return "Resource temporarily unavailable";
  case 12: return "Cannot allocate memory";
  case 16: return "Device or resource busy";
  case 22: return "Invalid argument";
  case 35: return "Resource deadlock avoided";
  case 110: return "Connection timed out";
  case 125: return "Operation canceled";
  }
  __fencepost_refuse("the message of an error that is not about threads");
  return "";
}

namespace std {
class error_condition;
class error_code;

inline namespace _V2 {
class error_category {
public:
  constexpr error_category() noexcept = default;
  error_category(const error_category &) = delete;
  virtual ~error_category();
  virtual const char *name() const noexcept = 0;
  /* For programs that are compiled with the old std::string. */
  [[gnu::abi_tag("cxx11")]] virtual __cow_string _M_message(int error) const;
  [[gnu::abi_tag("cxx11")]] virtual string message(int error) const = 0;
  virtual error_condition default_error_condition(int error) const noexcept;
  virtual bool equivalent(int error, const error_condition &condition) const noexcept;
  virtual bool equivalent(const error_code &code, int error) const noexcept;
};
const error_category &generic_category() noexcept;
const error_category &system_category() noexcept;
}

class error_condition {
public:
  int value;
  const error_category *category;
};
class error_code {
public:
  int value;
  const error_category *category;

  error_condition default_error_condition() const noexcept;
};

error_category::~error_category() {}
__cow_string error_category::_M_message(int) const {
  __fencepost_refuse("a message of an error category in the old std::string");
  return __cow_string("");
}
error_condition error_category::default_error_condition(int error) const noexcept { return {error, this}; }
bool error_category::equivalent(int error, const error_condition &condition) const noexcept {
  error_condition same = default_error_condition(error);
  return same.value == condition.value && same.category == condition.category;
}
bool error_category::equivalent(const error_code &code, int error) const noexcept {
  return code.category == this && code.value == error;
}
error_condition error_code::default_error_condition() const noexcept {
  return category->default_error_condition(value);
}

namespace {
struct generic_error_category final : error_category {
  const char *name() const noexcept override { return "generic"; }
  string message(int error) const override { return string(__fencepost_text_of_error(error)); }
};
struct system_error_category final : error_category {
  const char *name() const noexcept override { return "system"; }
  string message(int error) const override { return string(__fencepost_text_of_error(error)); }
  /* The numbers that the C library knows mean the same in both. */
  error_condition default_error_condition(int error) const noexcept override {
    return {error, error >= 0 && error <= 133 ? &generic_category() : this};
  }
};
/* Others may use them at the end, so nothing destroys them. */
[[clang::no_destroy]] constinit const generic_error_category the_generic_category;
[[clang::no_destroy]] constinit const system_error_category the_system_category;
}
const error_category &_V2::generic_category() noexcept { return the_generic_category; }
const error_category &_V2::system_category() noexcept { return the_system_category; }

class system_error : public runtime_error {
  error_code code;

public:
  explicit system_error(error_code code) : runtime_error(code.category->message(code.value)), code(code) {}
  virtual ~system_error() noexcept;
};
system_error::~system_error() noexcept {}
}
