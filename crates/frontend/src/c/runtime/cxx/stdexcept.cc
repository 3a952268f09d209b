/* <stdexcept>, and the exceptions of <new>, <functional> and <memory>. What they say is counted, so that copies of an
 * exception do not allocate. */

namespace std {
struct __cow_string {
  /* The count of those that share the text stands before it. */
  struct Shared {
    int others;
    char text[];
  };
  Shared *shared;

  explicit __cow_string(const char *text) {
    size_type size = strlen(text) + 1;
    shared = static_cast<Shared *>(__fencepost_alloc(sizeof(Shared) + size));
    shared->others = 0;
    memcpy(shared->text, text, size);
  }
  __cow_string(const __cow_string &other) noexcept : shared(other.shared) {
    __atomic_fetch_add(&shared->others, 1, RELAXED);
  }
  __cow_string &operator=(const __cow_string &other) noexcept {
    __atomic_fetch_add(&other.shared->others, 1, RELAXED);
    release();
    shared = other.shared;
    return *this;
  }
  ~__cow_string() { release(); }
  const char *c_str() const { return shared->text; }

private:
  void release() {
    if (__atomic_fetch_sub(&shared->others, 1, ACQ_REL) == 0) __fencepost_free(shared);
  }
};

#define ERROR_WITH_TEXT(NAME)                                                                   \
  class NAME : public exception {                                                               \
    __cow_string text;                                                                          \
                                                                                                \
  public:                                                                                       \
    explicit NAME(const string &text);                                                          \
    explicit NAME(const char *text);                                                            \
    NAME(NAME &&) noexcept;                                                                     \
    NAME &operator=(NAME &&) noexcept;                                                          \
    NAME(const NAME &) noexcept;                                                                \
    NAME &operator=(const NAME &) noexcept;                                                     \
    virtual ~NAME() noexcept;                                                                   \
    const char *what() const noexcept override;                                                 \
  };                                                                                            \
  NAME::NAME(const string &text) : text(text.c_str()) {}                                        \
  NAME::NAME(const char *text) : text(text) {}                                                  \
  NAME::NAME(NAME &&other) noexcept : exception(other), text(other.text) {}                     \
  NAME &NAME::operator=(NAME &&other) noexcept { return *this = other; }                        \
  NAME::NAME(const NAME &other) noexcept : exception(other), text(other.text) {}                \
  NAME &NAME::operator=(const NAME &other) noexcept {                                           \
    text = other.text;                                                                          \
    return *this;                                                                               \
  }                                                                                             \
  NAME::~NAME() noexcept {}                                                                     \
  const char *NAME::what() const noexcept { return text.c_str(); }

ERROR_WITH_TEXT(logic_error)
ERROR_WITH_TEXT(runtime_error)

#define DERIVED_ERROR(NAME, BASE)                                                               \
  class NAME : public BASE {                                                                    \
  public:                                                                                       \
    explicit NAME(const string &text);                                                          \
    explicit NAME(const char *text);                                                            \
    NAME(const NAME &) = default;                                                               \
    virtual ~NAME() noexcept;                                                                   \
  };                                                                                            \
  NAME::NAME(const string &text) : BASE(text) {}                                                \
  NAME::NAME(const char *text) : BASE(text) {}                                                  \
  NAME::~NAME() noexcept {}

DERIVED_ERROR(domain_error, logic_error)
DERIVED_ERROR(invalid_argument, logic_error)
DERIVED_ERROR(length_error, logic_error)
DERIVED_ERROR(out_of_range, logic_error)
DERIVED_ERROR(range_error, runtime_error)
DERIVED_ERROR(overflow_error, runtime_error)
DERIVED_ERROR(underflow_error, runtime_error)

#define PLAIN_ERROR(NAME, BASE, TEXT)                                                           \
  class NAME : public BASE {                                                                    \
  public:                                                                                       \
    NAME() noexcept {}                                                                          \
    virtual ~NAME() noexcept;                                                                   \
    const char *what() const noexcept override;                                                 \
  };                                                                                            \
  NAME::~NAME() noexcept {}                                                                     \
  const char *NAME::what() const noexcept { return TEXT; }

PLAIN_ERROR(bad_alloc, exception, "std::bad_alloc")
PLAIN_ERROR(bad_array_new_length, bad_alloc, "std::bad_array_new_length")
PLAIN_ERROR(bad_function_call, exception, "bad_function_call")
PLAIN_ERROR(bad_weak_ptr, exception, "bad_weak_ptr")
}
