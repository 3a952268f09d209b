/* Output: `basic_ostream`, and the standard streams that print. */
#ifndef __FENCEPOST_OSTREAM_H
#define __FENCEPOST_OSTREAM_H
#include <fencepost/streambuf.h>
#pragma GCC system_header

__FENCEPOST_BEGIN

/* Whether this is a standard stream that is as it was at the start. What is written to it is printed at once. */
inline bool __prints(const void *__stream) noexcept;
/* The same for a stream of other characters, which is not supported. */
template <class _CharT> inline bool __direct(const void *__stream) noexcept {
  return sizeof(_CharT) == 1 && __prints(__stream);
}

extern ostream cout;
extern ostream cerr;
extern ostream clog;
extern wostream wcout;
extern wostream wcerr;
extern wostream wclog;

template <class _CharT, class _Traits> class basic_ostream : virtual public basic_ios<_CharT, _Traits> {
public:
  typedef _CharT char_type;
  typedef _Traits traits_type;
  typedef typename _Traits::int_type int_type;
  typedef typename _Traits::pos_type pos_type;
  typedef typename _Traits::off_type off_type;
  typedef basic_ios<_CharT, _Traits> __ios_type;
  typedef basic_streambuf<_CharT, _Traits> __buffer_type;

  explicit basic_ostream(__buffer_type *__buffer) { this->init(__buffer); }
  virtual ~basic_ostream() {}

  class sentry {
  public:
    explicit sentry(basic_ostream &__stream) : __stream(__stream), __ok(true) {
      if (!__direct<_CharT>(&__stream)) __ok = __stream.__is_ready(__stream.__state);
    }
    ~sentry() {
      if (!__direct<_CharT>(&__stream) && (__stream.flags() & ios_base::unitbuf)) __stream.__synchronise();
    }
    explicit operator bool() const { return __ok; }
    sentry(const sentry &) = delete;
    sentry &operator=(const sentry &) = delete;

  private:
    basic_ostream &__stream;
    bool __ok;
  };

  basic_ostream &operator<<(basic_ostream &(*__manipulator)(basic_ostream &)) { return __manipulator(*this); }
  basic_ostream &operator<<(__ios_type &(*__manipulator)(__ios_type &)) {
    __manipulator(*this);
    return *this;
  }
  basic_ostream &operator<<(ios_base &(*__manipulator)(ios_base &)) {
    __manipulator(*this);
    return *this;
  }

  basic_ostream &operator<<(bool __value) {
    if (__direct<_CharT>(this)) return __fencepost_printf("%d", __value), *this;
    if (!(this->flags() & ios_base::boolalpha)) {
#ifdef _LIBCPP_VERSION
      return __integer_number(__value, 0);
#else
      return __signed_number(__value, __value);
#endif
    }
    return __padded(__value ? "true" : "false", __value ? 4 : 5, 0);
  }
  basic_ostream &operator<<(short __value) {
    if (__direct<_CharT>(this)) return __fencepost_printf("%d", __value), *this;
    return __signed_number(__value, static_cast<unsigned short>(__value));
  }
  basic_ostream &operator<<(unsigned short __value) {
    if (__direct<_CharT>(this)) return __fencepost_printf("%u", __value), *this;
    return __integer_number(__value, 0);
  }
  basic_ostream &operator<<(int __value) {
    if (__direct<_CharT>(this)) return __fencepost_printf("%d", __value), *this;
    return __signed_number(__value, static_cast<unsigned>(__value));
  }
  basic_ostream &operator<<(unsigned __value) {
    if (__direct<_CharT>(this)) return __fencepost_printf("%u", __value), *this;
    return __integer_number(__value, 0);
  }
  basic_ostream &operator<<(long __value) {
    if (__direct<_CharT>(this)) return __fencepost_printf("%ld", __value), *this;
    return __signed_number(__value, static_cast<unsigned long>(__value));
  }
  basic_ostream &operator<<(unsigned long __value) {
    if (__direct<_CharT>(this)) return __fencepost_printf("%lu", __value), *this;
    return __integer_number(__value, 0);
  }
  basic_ostream &operator<<(long long __value) {
    if (__direct<_CharT>(this)) return __fencepost_printf("%lld", __value), *this;
    return __signed_number(__value, static_cast<unsigned long long>(__value));
  }
  basic_ostream &operator<<(unsigned long long __value) {
    if (__direct<_CharT>(this)) return __fencepost_printf("%llu", __value), *this;
    return __integer_number(__value, 0);
  }
  basic_ostream &operator<<(float __value) { return *this << static_cast<double>(__value); }
  basic_ostream &operator<<(double __value) {
    if (__direct<_CharT>(this)) return __fencepost_printf("%g", __value), *this;
    return __float_number(__value);
  }
  basic_ostream &operator<<(long double __value) { return *this << static_cast<double>(__value); }
  basic_ostream &operator<<(const void *__pointer) {
#ifdef _LIBCPP_VERSION
    if (!__pointer) return __padded("(nil)", 5, 0);
#endif
    if (!__pointer) return __padded("0", 1, 0);
    if (__direct<_CharT>(this)) return __fencepost_printf("%p", __pointer), *this;
    char __text[32];
    int __before = 0;
    unsigned __flags =
        (this->flags() & ~(ios_base::basefield | ios_base::uppercase)) | ios_base::hex | ios_base::showbase;
    int __size = __fencepost_integer_text(__text, reinterpret_cast<unsigned long>(__pointer), 0, __flags, &__before);
    return __padded(__text, __size, __before);
  }
  basic_ostream &operator<<(const volatile void *__pointer) { return *this << const_cast<const void *>(__pointer); }
  basic_ostream &operator<<(decltype(nullptr)) { return __padded("nullptr", 7, 0); }
  basic_ostream &operator<<(__buffer_type *__from) {
    if (!__from) {
      this->__found(ios_base::badbit);
      return *this;
    }
    int_type __c = __from->sgetc();
    bool __any = false;
    for (; !_Traits::eq_int_type(__c, _Traits::eof()); __c = __from->snextc(), __any = true)
      put(_Traits::to_char_type(__c));
    if (!__any) this->__found(ios_base::failbit);
    return *this;
  }

  basic_ostream &put(char_type __c) {
    if (__direct<_CharT>(this)) return __fencepost_printf("%c", static_cast<int>(__c)), *this;
    return write(&__c, 1);
  }
  basic_ostream &write(const char_type *__text, streamsize __size) {
    if (__direct<_CharT>(this)) {
      for (streamsize __i = 0; __i < __size; __i++) __fencepost_printf("%c", static_cast<int>(__text[__i]));
      return *this;
    }
    sentry __ready(*this);
    if (__ready) __send(this->rdbuf(), __text, __size);
    return *this;
  }
  basic_ostream &flush() {
    if (__direct<_CharT>(this)) return *this;
    if (this->rdbuf() && this->good() && this->rdbuf()->pubsync() == -1) this->__found(ios_base::badbit);
    return *this;
  }
  pos_type tellp() {
    return this->fail() ? pos_type(off_type(-1)) : this->rdbuf()->pubseekoff(0, ios_base::cur, ios_base::out);
  }
  basic_ostream &seekp(pos_type __at) {
    if (!this->fail() && this->rdbuf()->pubseekpos(__at, ios_base::out) == pos_type(off_type(-1)))
      this->__found(ios_base::failbit);
    return *this;
  }
  basic_ostream &seekp(off_type __off, ios_base::seekdir __from) {
    if (!this->fail() && this->rdbuf()->pubseekoff(__off, __from, ios_base::out) == pos_type(off_type(-1)))
      this->__found(ios_base::failbit);
    return *this;
  }

  /* A text with the padding that the width asks for: after `before` characters with `internal`. */
  template <class _Char> basic_ostream &__padded(const _Char *__text, streamsize __size, streamsize __before) {
    if (__direct<_CharT>(this)) {
      for (streamsize __i = 0; __i < __size; __i++) __fencepost_printf("%c", static_cast<int>(__text[__i]));
      return *this;
    }
    /* The base is looked for once: where it is, is read from memory. */
    __stream_state &__state = this->__state;
    if (!__is_ready(__state)) return *this;
    __buffer_type *__to = static_cast<__buffer_type *>(__state.__buffer);
    streamsize __room = __state.__width - __size;
    unsigned __flags = __state.__flags;
    if (__state.__width != 0) this->__reset_width();
    if (__room <= 0) {
      __converted(__to, __text, __size);
    } else {
      unsigned __adjust = __flags & ios_base::adjustfield;
      streamsize __first = __adjust == ios_base::left ? __size : __adjust == ios_base::internal ? __before : 0;
      char_type __fill = static_cast<char_type>(__state.__fill);
      __converted(__to, __text, __first);
      for (streamsize __i = 0; __i < __room; __i++) __send(__to, &__fill, 1);
      __converted(__to, __text + __first, __size - __first);
    }
    if (__flags & ios_base::unitbuf) __synchronise();
    return *this;
  }

protected:
  basic_ostream() {}
  basic_ostream(basic_ostream &&__other) { this->move(__other); }
  basic_ostream &operator=(basic_ostream &&__other) {
    swap(__other);
    return *this;
  }
  void swap(basic_ostream &__other) { __ios_type::swap(__other); }

private:
  bool __is_ready(__stream_state &__state) {
    if (sizeof(_CharT) > 1 && (this == static_cast<const void *>(&wcout) || this == static_cast<const void *>(&wcerr) ||
                               this == static_cast<const void *>(&wclog)))
      __fencepost_refuse("output to a standard stream of wide characters (`std::wcout`)");
    if (__state.__tie && __state.__bits == 0) this->tie()->flush();
    if (__state.__bits == 0) return true;
    this->__found(ios_base::failbit);
    return false;
  }
  void __synchronise() {
    if (this->good() && this->rdbuf()->pubsync() == -1) this->_M_setstate(ios_base::badbit);
  }
  /* In octal and hexadecimal, a negative number is shown as an unsigned one. */
  basic_ostream &__signed_number(long long __value, unsigned long long __as_unsigned) {
    unsigned __base = this->flags() & ios_base::basefield;
    if (__base == ios_base::oct || __base == ios_base::hex) return __integer_number(__as_unsigned, 0);
    return __value < 0 ? __integer_number(0ull - __value, -1) : __integer_number(__value, 1);
  }
  basic_ostream &__integer_number(unsigned long long __magnitude, int __sign) {
    char __text[32];
    int __before = 0;
    int __size = __fencepost_integer_text(__text, __magnitude, __sign, this->flags(), &__before);
    return __padded(__text, __size, __before);
  }
  basic_ostream &__float_number(double __value) {
    char __text[512];
    int __before = 0;
    int __size = __fencepost_float_text(__text, sizeof __text, __value, this->flags(), this->precision(), &__before);
    return __padded(__text, __size, __before);
  }
  void __converted(__buffer_type *__to, const char_type *__text, streamsize __size) { __send(__to, __text, __size); }
  template <class _Char> void __converted(__buffer_type *__to, const _Char *__text, streamsize __size) {
    for (streamsize __i = 0; __i < __size; __i++) {
      char_type __c = static_cast<char_type>(__text[__i]);
      __send(__to, &__c, 1);
    }
  }
  /* An exception of the buffer makes the stream bad, and goes on only if the program has asked for that. */
  void __send(__buffer_type *__to, const char_type *__text, streamsize __size) {
    if (__size == 0) return;
#if __cpp_exceptions
    try {
      if (__to->sputn(__text, __size) == __size) return;
    } catch (...) {
      this->_M_setstate(ios_base::badbit);
      if (this->exceptions() & ios_base::badbit) throw;
      return;
    }
#else
    if (__to->sputn(__text, __size) == __size) return;
#endif
    this->__found(ios_base::badbit);
  }
};

/* The standard streams print. Nothing constructs or destroys them: each is a constant until the program changes it, in
 * the layout that the compiler gives a stream. */
__FENCEPOST_END

#ifdef _LIBCPP_VERSION
extern const char *const __fencepost_ostream_table[] __asm__("_ZTVNSt3__113basic_ostreamIcNS_11char_traitsIcEEEE");
#define __FENCEPOST_STANDARD(__name) __asm__("_ZNSt3__14" __name "E")
#else
extern const char *const __fencepost_ostream_table[] __asm__("_ZTVSo");
#define __FENCEPOST_STANDARD(__name) __asm__("_ZSt4" __name)
#endif

__FENCEPOST_BEGIN
/* In a table of virtual functions, the functions are behind the place of the base, the offset to the top and the type;
 * the table of the base follows two functions later. */
struct __ostream_image {
  const void *__table, *__ios_table;
  __stream_state __state;
};
static_assert(sizeof(__ostream_image) == sizeof(ostream), "a stream has the layout of its image");

__attribute__((no_destroy, weak)) __standard_buffer __output_buffer;
__attribute__((no_destroy, weak)) __standard_buffer __error_buffer;
#define __FENCEPOST_IMAGE(__name, __buffer, __flags)                                                                   \
  __attribute__((weak)) extern __ostream_image __name __FENCEPOST_STANDARD(#__name);                                   \
  __ostream_image __name = {__fencepost_ostream_table + 3,                                                             \
                            __fencepost_ostream_table + 8,                                                             \
                            {__flags, 0, 0, ' ', 6, 0, &__buffer, nullptr, &__buffer, 0}};
/* Under these names, reports show them as the program knows them. */
namespace __images {
__FENCEPOST_IMAGE(cout, __output_buffer, ios_base::skipws | ios_base::dec)
__FENCEPOST_IMAGE(cerr, __error_buffer, ios_base::skipws | ios_base::dec | ios_base::unitbuf)
__FENCEPOST_IMAGE(clog, __error_buffer, ios_base::skipws | ios_base::dec)
} // namespace __images
/* Makes the compiler put the table into the module. */
__attribute__((used)) inline void __with_ostream_table() { ostream __stream(nullptr); }

inline bool __is_printing(const void *__stream) noexcept {
  return __stream == &__images::cout || __stream == &__images::cerr || __stream == &__images::clog;
}
inline bool __prints(const void *__stream) noexcept {
  return __is_printing(__stream) &&
         (!__fencepost_streams_change() ||
          (static_cast<const __ostream_image *>(__stream)->__state.__custom == 0 && !__is_unsynchronised));
}
__FENCEPOST_END
#undef __FENCEPOST_STANDARD
#undef __FENCEPOST_IMAGE

#include <fencepost/insert.h>
#endif
