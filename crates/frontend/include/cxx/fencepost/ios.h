/* The state of a stream: `ios_base` and `basic_ios`. */
#ifndef __FENCEPOST_IOS_H
#define __FENCEPOST_IOS_H
#include <fencepost/config.h>
#pragma GCC system_header

#include <cctype>
#include <cwctype>
#include <string>
#include <system_error>
#ifdef _LIBCPP_VERSION
#include <__ios/fpos.h>
#endif
#include <fencepost/locale.h>

__FENCEPOST_BEGIN

#ifdef _LIBCPP_VERSION
typedef ptrdiff_t streamsize;
#endif

enum class io_errc { stream = 1 };
template <> struct is_error_code_enum<io_errc> : public true_type {};

/* All that a stream knows, without virtual functions: so a standard stream can be a constant before anything runs. */
struct __stream_state {
  unsigned __flags;
  unsigned __bits;
  unsigned __exceptions;
  int __fill;
  long __precision;
  long __width;
  void *__buffer;
  void *__tie;
  /* Of a standard stream: what it writes to at the start, and whether it does more than print there as `printf` would. */
  void *__printer;
  int __custom;
};

/* Two threads may then not use one standard stream at once. */
__attribute__((weak)) bool __is_unsynchronised;

class ios_base {
public:
  typedef unsigned fmtflags;
  typedef unsigned iostate;
  typedef unsigned openmode;
  typedef int seek_dir;
  typedef unsigned io_state;
  typedef unsigned open_mode;
  enum seekdir { beg = 0, cur = 1, end = 2 };
  enum event { erase_event, imbue_event, copyfmt_event };
  typedef void (*event_callback)(event, ios_base &, int);

  static constexpr fmtflags boolalpha = 1 << 0, dec = 1 << 1, fixed = 1 << 2, hex = 1 << 3, internal = 1 << 4,
                            left = 1 << 5, oct = 1 << 6, right = 1 << 7, scientific = 1 << 8, showbase = 1 << 9,
                            showpoint = 1 << 10, showpos = 1 << 11, skipws = 1 << 12, unitbuf = 1 << 13,
                            uppercase = 1 << 14, adjustfield = left | right | internal, basefield = dec | oct | hex,
                            floatfield = scientific | fixed;
  static constexpr iostate goodbit = 0, badbit = 1, eofbit = 2, failbit = 4;
  static constexpr openmode app = 1, ate = 2, binary = 4, in = 8, out = 16, trunc = 32, noreplace = 64;

  /* The standard streams are there from the start. */
  class Init {
  public:
    Init() {}
  };

  class failure : public system_error {
  public:
    explicit failure(const string &__what, const error_code &__code = error_code(1, generic_category()))
        : system_error(__code, __what) {}
    explicit failure(const char *__what, const error_code &__code = error_code(1, generic_category()))
        : system_error(__code, __what) {}
  };

  ios_base(const ios_base &) = delete;
  ios_base &operator=(const ios_base &) = delete;
  virtual ~ios_base() {}

  fmtflags flags() const { return __state.__flags; }
  fmtflags flags(fmtflags __new) {
    fmtflags __old = __state.__flags;
    __state.__flags = __new;
    __changed();
    return __old;
  }
  fmtflags setf(fmtflags __set) { return flags(__state.__flags | __set); }
  fmtflags setf(fmtflags __set, fmtflags __mask) { return flags((__state.__flags & ~__mask) | (__set & __mask)); }
  void unsetf(fmtflags __mask) { flags(__state.__flags & ~__mask); }

  streamsize precision() const { return __state.__precision; }
  streamsize precision(streamsize __new) {
    streamsize __old = __state.__precision;
    __state.__precision = __new;
    __changed();
    return __old;
  }
  streamsize width() const { return __state.__width; }
  streamsize width(streamsize __new) {
    streamsize __old = __state.__width;
    __state.__width = __new;
    __changed();
    return __old;
  }

  locale imbue(const locale &) { return locale(); }
  locale getloc() const { return locale(); }
  /* What is not synchronised stays so, as in libstdc++. */
  static bool sync_with_stdio(bool __synchronised = true) {
    bool __was_synchronised = !__is_unsynchronised;
    if (!__synchronised) {
      __fencepost_changes_stream();
      __is_unsynchronised = true;
    }
    return __was_synchronised;
  }

  static int xalloc() {
    __fencepost_refuse("`std::ios_base::xalloc`");
    return 0;
  }
  long &iword(int) {
    __fencepost_refuse("`std::ios_base::iword`");
    return __state.__width;
  }
  void *&pword(int) {
    __fencepost_refuse("`std::ios_base::pword`");
    return __state.__buffer;
  }
  void register_callback(event_callback, int) { __fencepost_refuse("`std::ios_base::register_callback`"); }

  /* What was formatted takes no more than this from the state. */
  void __reset_width() {
    if (__state.__width == 0) return;
    __state.__width = 0;
    if (__state.__printer) __summarise();
  }
  /* Called after all that the program changes. */
  void __changed() {
    __fencepost_changes_stream();
    __summarise();
  }
  /* The padding matters only with a width. */
  void __summarise() {
    const unsigned __usual = skipws | dec | unitbuf;
    __state.__custom = (__state.__flags | unitbuf) != __usual || __state.__bits || __state.__precision != 6 ||
                       __state.__width || __state.__buffer != __state.__printer;
  }
  __stream_state __state;

protected:
  ios_base() {}
};

inline const error_category &iostream_category() noexcept { return generic_category(); }
inline error_code make_error_code(io_errc __code) noexcept {
  return error_code(static_cast<int>(__code), iostream_category());
}
inline error_condition make_error_condition(io_errc __code) noexcept {
  return error_condition(static_cast<int>(__code), iostream_category());
}

template <class _CharT, class _Traits> class basic_ios : public ios_base {
public:
  typedef _CharT char_type;
  typedef _Traits traits_type;
  typedef typename _Traits::int_type int_type;
  typedef typename _Traits::pos_type pos_type;
  typedef typename _Traits::off_type off_type;
  typedef basic_streambuf<_CharT, _Traits> __buffer_type;
  typedef basic_ostream<_CharT, _Traits> __ostream_type;

  explicit basic_ios(__buffer_type *__buffer) { init(__buffer); }
  virtual ~basic_ios() {}

  explicit operator bool() const { return !fail(); }
  bool operator!() const { return fail(); }
  iostate rdstate() const { return __state.__bits; }
  void clear(iostate __bits = goodbit) {
    __state.__bits = __state.__buffer ? __bits : __bits | badbit;
    __changed();
    __raise();
  }
  void setstate(iostate __bits) { clear(__state.__bits | __bits); }
  bool good() const { return __state.__bits == 0; }
  bool eof() const { return (__state.__bits & eofbit) != 0; }
  bool fail() const { return (__state.__bits & (badbit | failbit)) != 0; }
  bool bad() const { return (__state.__bits & badbit) != 0; }
  iostate exceptions() const { return __state.__exceptions; }
  void exceptions(iostate __mask) {
    __state.__exceptions = __mask;
    __raise();
  }

  __ostream_type *tie() const { return static_cast<__ostream_type *>(__state.__tie); }
  __ostream_type *tie(__ostream_type *__new) {
    if (__state.__printer && __new && !__new->__state.__printer)
      __fencepost_refuse("a standard stream that is tied to a stream of the program");
    __ostream_type *__old = tie();
    __state.__tie = __new;
    return __old;
  }
  __buffer_type *rdbuf() const { return static_cast<__buffer_type *>(__state.__buffer); }
  __buffer_type *rdbuf(__buffer_type *__new) {
    __buffer_type *__old = rdbuf();
    __state.__buffer = __new;
    clear();
    return __old;
  }
  char_type fill() const { return static_cast<char_type>(__state.__fill); }
  char_type fill(char_type __new) {
    char_type __old = fill();
    __state.__fill = static_cast<int>(__new);
    return __old;
  }
  basic_ios &copyfmt(const basic_ios &__other) {
    if (this != &__other) {
      __state.__flags = __other.__state.__flags;
      __state.__fill = __other.__state.__fill;
      __state.__precision = __other.__state.__precision;
      __state.__width = __other.__state.__width;
      __state.__tie = __other.__state.__tie;
      __changed();
      exceptions(__other.__state.__exceptions);
    }
    return *this;
  }
  locale imbue(const locale &) { return locale(); }
  char narrow(char_type __c, char __other) const {
    return __c >= 0 && static_cast<long>(__c) < 128 ? static_cast<char>(__c)
           : sizeof(char_type) == 1                 ? static_cast<char>(__c)
                                                    : __other;
  }
  char_type widen(char __c) const { return static_cast<char_type>(__c); }

  /* What an operation of the stream itself finds out. */
  void __found(iostate __bits) {
    if (__bits == 0) return;
    __state.__bits |= __bits;
    if (__state.__printer) __summarise();
    __raise();
  }
  void _M_setstate(iostate __bits) {
    __state.__bits |= __bits;
    if (__state.__printer) __summarise();
  }

protected:
  basic_ios() {}
  void init(__buffer_type *__buffer) {
    __state.__flags = skipws | dec;
    __state.__bits = __buffer ? goodbit : badbit;
    __state.__exceptions = 0;
    __state.__fill = ' ';
    __state.__precision = 6;
    __state.__width = 0;
    __state.__buffer = __buffer;
    __state.__tie = nullptr;
    __state.__printer = nullptr;
    __state.__custom = 1;
  }
  void move(basic_ios &__other) {
    __state = __other.__state;
    __state.__buffer = nullptr;
    __other.__state.__tie = nullptr;
  }
  void move(basic_ios &&__other) { move(__other); }
  void swap(basic_ios &__other) noexcept {
    __stream_state __mine = __state;
    __state = __other.__state;
    __other.__state = __mine;
    __other.__state.__buffer = __state.__buffer;
    __state.__buffer = __mine.__buffer;
  }
  void set_rdbuf(__buffer_type *__new) { __state.__buffer = __new; }

private:
  void __raise() {
    if ((__state.__bits & __state.__exceptions) != 0) {
#if __cpp_exceptions
      throw failure("basic_ios::clear");
#else
      __builtin_abort();
#endif
    }
  }
};

#define __FENCEPOST_FLAG(__name)                                                                                       \
  inline ios_base &__name(ios_base &__stream) {                                                                        \
    __stream.setf(ios_base::__name);                                                                                   \
    return __stream;                                                                                                   \
  }                                                                                                                    \
  inline ios_base &no##__name(ios_base &__stream) {                                                                    \
    __stream.unsetf(ios_base::__name);                                                                                 \
    return __stream;                                                                                                   \
  }
#define __FENCEPOST_FIELD(__name, __field)                                                                             \
  inline ios_base &__name(ios_base &__stream) {                                                                        \
    __stream.setf(ios_base::__name, ios_base::__field);                                                                \
    return __stream;                                                                                                   \
  }
__FENCEPOST_FLAG(boolalpha)
__FENCEPOST_FLAG(showbase)
__FENCEPOST_FLAG(showpoint)
__FENCEPOST_FLAG(showpos)
__FENCEPOST_FLAG(skipws)
__FENCEPOST_FLAG(unitbuf)
__FENCEPOST_FLAG(uppercase)
__FENCEPOST_FIELD(internal, adjustfield)
__FENCEPOST_FIELD(left, adjustfield)
__FENCEPOST_FIELD(right, adjustfield)
__FENCEPOST_FIELD(dec, basefield)
__FENCEPOST_FIELD(hex, basefield)
__FENCEPOST_FIELD(oct, basefield)
__FENCEPOST_FIELD(fixed, floatfield)
__FENCEPOST_FIELD(scientific, floatfield)
#undef __FENCEPOST_FLAG
#undef __FENCEPOST_FIELD
inline ios_base &hexfloat(ios_base &__stream) {
  __stream.setf(ios_base::fixed | ios_base::scientific, ios_base::floatfield);
  return __stream;
}
inline ios_base &defaultfloat(ios_base &__stream) {
  __stream.unsetf(ios_base::floatfield);
  return __stream;
}

__FENCEPOST_END
#endif
