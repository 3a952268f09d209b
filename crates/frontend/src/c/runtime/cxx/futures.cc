/* What std::future and std::promise find in the library. */

namespace std {
namespace {
struct future_error_category final : error_category {
  const char *name() const noexcept override { return "future"; }
  string message(int error) const override {
    switch (error) {
    case 1: return string("Future already retrieved");
    case 2: return string("Promise already satisfied");
    case 3: return string("No associated state");
    case 4: return string("Broken promise");
    default: return string("Unknown error");
    }
  }
};
[[clang::no_destroy]] constinit const future_error_category the_future_category;
}
const error_category &future_category() noexcept { return the_future_category; }

class future_error : public logic_error {
  error_code code;
  static const char *text(int error) {
    switch (error) {
    case 1: return "std::future_error: Future already retrieved";
    case 2: return "std::future_error: Promise already satisfied";
    case 3: return "std::future_error: No associated state";
    case 4: return "std::future_error: Broken promise";
    default: return "std::future_error: Unknown error";
    }
  }

public:
  explicit future_error(int error) : logic_error(text(error)), code{error, &future_category()} {}
  virtual ~future_error() noexcept;
  const char *what() const noexcept override;
};
future_error::~future_error() noexcept {}
const char *future_error::what() const noexcept { return logic_error::what(); }
[[noreturn]] void __throw_future_error(int error) { throw future_error(error); }

struct __future_base {
  struct _Result_base {
    exception_ptr error;
    virtual void _M_destroy() = 0;

  protected:
    _Result_base();
    virtual ~_Result_base();
  };
};
__future_base::_Result_base::_Result_base() {}
__future_base::_Result_base::~_Result_base() {}

/* For code that was compiled with libstdc++'s own <bits/atomic_futex.h>. What changes the value also wakes all that wait
 * for it, so to wait for the change is the same. Time may run out at once. */
struct __atomic_futex_unsigned_base {
  bool _M_futex_wait_until(unsigned *value, unsigned old, bool has_timeout, chrono::seconds, chrono::nanoseconds);
  bool _M_futex_wait_until_steady(unsigned *value, unsigned old, bool has_timeout, chrono::seconds, chrono::nanoseconds);
  static void _M_futex_notify_all(unsigned *value);
};
static bool wait_for_change(unsigned *value, unsigned old, bool has_timeout) {
  if (has_timeout) return false;
  __fencepost_wait(value, old, 4, 1, RELAXED);
  return true;
}
bool __atomic_futex_unsigned_base::_M_futex_wait_until(unsigned *value, unsigned old, bool has_timeout,
                                                       chrono::seconds, chrono::nanoseconds) {
  return wait_for_change(value, old, has_timeout);
}
bool __atomic_futex_unsigned_base::_M_futex_wait_until_steady(unsigned *value, unsigned old, bool has_timeout,
                                                              chrono::seconds, chrono::nanoseconds) {
  return wait_for_change(value, old, has_timeout);
}
void __atomic_futex_unsigned_base::_M_futex_notify_all(unsigned *) {}
}
