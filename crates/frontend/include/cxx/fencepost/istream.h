/* Input: `basic_istream`. What comes from outside of the program is refused where it is read. */
#ifndef __FENCEPOST_ISTREAM_H
#define __FENCEPOST_ISTREAM_H
#include <fencepost/ostream.h>
#pragma GCC system_header

__FENCEPOST_BEGIN

inline bool __is_input(const void *__stream) noexcept;

template <class _CharT, class _Traits> class basic_istream : virtual public basic_ios<_CharT, _Traits> {
public:
  typedef _CharT char_type;
  typedef _Traits traits_type;
  typedef typename _Traits::int_type int_type;
  typedef typename _Traits::pos_type pos_type;
  typedef typename _Traits::off_type off_type;
  typedef basic_ios<_CharT, _Traits> __ios_type;
  typedef basic_streambuf<_CharT, _Traits> __buffer_type;

  explicit basic_istream(__buffer_type *__buffer) { this->init(__buffer); }
  virtual ~basic_istream() {}

  class sentry {
  public:
    typedef _Traits traits_type;
    explicit sentry(basic_istream &__stream, bool __keep_space = false) : __ok(false) {
      if (__is_input(&__stream)) __fencepost_refuse("input from a standard stream (`std::cin`)");
      if (__stream.good()) {
        if (__stream.tie()) __stream.tie()->flush();
        if (!__keep_space && (__stream.flags() & ios_base::skipws))
          __stream.__skip_space(ios_base::eofbit | ios_base::failbit);
      }
      __ok = __stream.good();
      if (!__ok) __stream.__found(ios_base::failbit);
    }
    explicit operator bool() const { return __ok; }
    sentry(const sentry &) = delete;
    sentry &operator=(const sentry &) = delete;

  private:
    bool __ok;
  };

  basic_istream &operator>>(basic_istream &(*__manipulator)(basic_istream &)) { return __manipulator(*this); }
  basic_istream &operator>>(__ios_type &(*__manipulator)(__ios_type &)) {
    __manipulator(*this);
    return *this;
  }
  basic_istream &operator>>(ios_base &(*__manipulator)(ios_base &)) {
    __manipulator(*this);
    return *this;
  }

  basic_istream &operator>>(short &__value) { return __signed_number(__value, -32768, 32767); }
  basic_istream &operator>>(unsigned short &__value) {
    return __unsigned_number(__value, static_cast<unsigned short>(-1));
  }
  basic_istream &operator>>(int &__value) { return __signed_number(__value, -2147483647 - 1, 2147483647); }
  basic_istream &operator>>(unsigned &__value) { return __unsigned_number(__value, -1u); }
  basic_istream &operator>>(long &__value) { return __signed_number(__value, -__LONG_MAX__ - 1, __LONG_MAX__); }
  basic_istream &operator>>(unsigned long &__value) { return __unsigned_number(__value, -1ul); }
  basic_istream &operator>>(long long &__value) {
    return __signed_number(__value, -__LONG_LONG_MAX__ - 1, __LONG_LONG_MAX__);
  }
  basic_istream &operator>>(unsigned long long &__value) { return __unsigned_number(__value, -1ull); }
  basic_istream &operator>>(bool &__value);
  basic_istream &operator>>(float &__value) {
    double __wide = 0;
    __float_number(__wide);
    __value = static_cast<float>(__wide);
    return *this;
  }
  basic_istream &operator>>(double &__value) { return __float_number(__value); }
  basic_istream &operator>>(long double &__value) {
    double __wide = 0;
    __float_number(__wide);
    __value = __wide;
    return *this;
  }
  basic_istream &operator>>(void *&__pointer) {
    __fencepost_refuse("reading a pointer from a stream");
    __pointer = nullptr;
    return *this;
  }
  basic_istream &operator>>(__buffer_type *__to) {
    sentry __ready(*this);
    __read = 0;
    if (!__ready) return *this;
    for (int_type __c; !__is_end(__c = this->rdbuf()->sgetc()); this->rdbuf()->sbumpc(), __read++)
      if (__is_end(__to->sputc(_Traits::to_char_type(__c)))) break;
    this->__found(__read == 0 ? ios_base::failbit : ios_base::goodbit);
    return *this;
  }

  streamsize gcount() const { return __read; }
  int_type get() {
    sentry __ready(*this, true);
    __read = 0;
    int_type __c = __ready ? this->rdbuf()->sbumpc() : _Traits::eof();
    if (__ready) {
      if (__is_end(__c)) this->__found(ios_base::eofbit | ios_base::failbit);
      else __read = 1;
    }
    return __c;
  }
  basic_istream &get(char_type &__c) {
    int_type __got = get();
    if (!__is_end(__got)) __c = _Traits::to_char_type(__got);
    return *this;
  }
  basic_istream &get(char_type *__to, streamsize __size) { return get(__to, __size, this->widen('\n')); }
  basic_istream &get(char_type *__to, streamsize __size, char_type __end) { return __line(__to, __size, __end, false); }
  basic_istream &get(__buffer_type &__to) { return get(__to, this->widen('\n')); }
  basic_istream &get(__buffer_type &__to, char_type __end) {
    sentry __ready(*this, true);
    __read = 0;
    if (!__ready) return *this;
    for (int_type __c;; this->rdbuf()->sbumpc(), __read++) {
      __c = this->rdbuf()->sgetc();
      if (__is_end(__c) || _Traits::eq(_Traits::to_char_type(__c), __end)) {
        this->__found((__is_end(__c) ? ios_base::eofbit : 0) | (__read == 0 ? ios_base::failbit : 0));
        return *this;
      }
      if (__is_end(__to.sputc(_Traits::to_char_type(__c)))) return *this;
    }
  }
  basic_istream &getline(char_type *__to, streamsize __size) { return getline(__to, __size, this->widen('\n')); }
  basic_istream &getline(char_type *__to, streamsize __size, char_type __end) {
    return __line(__to, __size, __end, true);
  }
  basic_istream &ignore(streamsize __count = 1, int_type __end = _Traits::eof()) {
    sentry __ready(*this, true);
    __read = 0;
    if (!__ready) return *this;
    const bool __all = __count == __LONG_MAX__;
    while (__all || __read < __count) {
      int_type __c = this->rdbuf()->sbumpc();
      if (__is_end(__c)) return this->__found(ios_base::eofbit), *this;
      __read++;
      if (_Traits::eq_int_type(__c, __end)) break;
    }
    return *this;
  }
  int_type peek() {
    sentry __ready(*this, true);
    __read = 0;
    int_type __c = __ready ? this->rdbuf()->sgetc() : _Traits::eof();
    if (__ready && __is_end(__c)) this->__found(ios_base::eofbit);
    return __c;
  }
  basic_istream &read(char_type *__to, streamsize __size) {
    sentry __ready(*this, true);
    __read = __ready ? this->rdbuf()->sgetn(__to, __size) : 0;
    if (__ready && __read < __size) this->__found(ios_base::eofbit | ios_base::failbit);
    return *this;
  }
  streamsize readsome(char_type *__to, streamsize __size) {
    sentry __ready(*this, true);
    __read = 0;
    if (!__ready) return 0;
    streamsize __there = this->rdbuf()->in_avail();
    if (__there < 0) return this->__found(ios_base::eofbit), 0;
    return __read = this->rdbuf()->sgetn(__to, __there < __size ? __there : __size);
  }
  basic_istream &putback(char_type __c) {
    this->__state.__bits &= ~ios_base::eofbit;
    sentry __ready(*this, true);
    __read = 0;
    if (__ready && __is_end(this->rdbuf()->sputbackc(__c))) this->__found(ios_base::badbit);
    return *this;
  }
  basic_istream &unget() {
    this->__state.__bits &= ~ios_base::eofbit;
    sentry __ready(*this, true);
    __read = 0;
    if (__ready && __is_end(this->rdbuf()->sungetc())) this->__found(ios_base::badbit);
    return *this;
  }
  int sync() { return this->rdbuf() ? this->rdbuf()->pubsync() : -1; }
  pos_type tellg() {
    sentry __ready(*this, true);
    return this->fail() ? pos_type(off_type(-1)) : this->rdbuf()->pubseekoff(0, ios_base::cur, ios_base::in);
  }
  basic_istream &seekg(pos_type __at) {
    this->__state.__bits &= ~ios_base::eofbit;
    if (!this->fail() && this->rdbuf()->pubseekpos(__at, ios_base::in) == pos_type(off_type(-1)))
      this->__found(ios_base::failbit);
    return *this;
  }
  basic_istream &seekg(off_type __off, ios_base::seekdir __from) {
    this->__state.__bits &= ~ios_base::eofbit;
    if (!this->fail() && this->rdbuf()->pubseekoff(__off, __from, ios_base::in) == pos_type(off_type(-1)))
      this->__found(ios_base::failbit);
    return *this;
  }

  static bool __is_end(int_type __c) { return _Traits::eq_int_type(__c, _Traits::eof()); }
  static bool __is_space(int_type __c) { return (__class_of(_Traits::to_char_type(__c)) & ctype_base::space) != 0; }
  void __skip_space(ios_base::iostate __at_end) {
    int_type __c = this->rdbuf()->sgetc();
    while (!__is_end(__c) && __is_space(__c)) __c = this->rdbuf()->snextc();
    if (__is_end(__c)) this->__found(__at_end);
  }
  /* Reads a word of at most so many characters into what has `push_back`. The space before it has been read. */
  template <class _To> void __word(_To &__to, streamsize __most) {
    streamsize __count = 0;
    int_type __c = this->rdbuf()->sgetc();
    for (; __count < __most && !__is_end(__c) && !__is_space(__c); __c = this->rdbuf()->snextc(), __count++)
      __to.push_back(_Traits::to_char_type(__c));
    this->__reset_width();
    this->__found((__count < __most && __is_end(__c) ? ios_base::eofbit : 0) | (__count == 0 ? ios_base::failbit : 0));
  }
  void __set_count(streamsize __count) { __read = __count; }

protected:
  basic_istream() {}
  basic_istream(basic_istream &&__other) {
    this->move(__other);
    __read = __other.__read;
    __other.__read = 0;
  }
  basic_istream &operator=(basic_istream &&__other) {
    swap(__other);
    return *this;
  }
  void swap(basic_istream &__other) {
    __ios_type::swap(__other);
    streamsize __mine = __read;
    __read = __other.__read;
    __other.__read = __mine;
  }

private:
  basic_istream &__line(char_type *__to, streamsize __size, char_type __end, bool __takes_end) {
    sentry __ready(*this, true);
    __read = 0;
    streamsize __at = 0;
    if (__ready) {
      ios_base::iostate __found = 0;
      for (;;) {
        int_type __c = this->rdbuf()->sgetc();
        if (__is_end(__c)) {
          __found |= ios_base::eofbit;
          break;
        }
        if (_Traits::eq(_Traits::to_char_type(__c), __end)) {
          if (__takes_end) this->rdbuf()->sbumpc(), __read++;
          break;
        }
        if (__at + 1 >= __size) {
          if (__takes_end) __found |= ios_base::failbit;
          break;
        }
        __to[__at++] = _Traits::to_char_type(__c);
        this->rdbuf()->sbumpc();
        __read++;
      }
      if (__size > 0) __to[__at] = char_type();
      if (__read == 0) __found |= ios_base::failbit;
      this->__found(__found);
    } else if (__size > 0) {
      __to[0] = char_type();
    }
    return *this;
  }
  /* Reads the digits of an integer. Returns whether there are any that form a number. */
  bool __digits(unsigned long long &__magnitude, bool &__negative, bool &__too_large) {
    __magnitude = 0;
    __negative = __too_large = false;
    unsigned __field = this->flags() & ios_base::basefield;
    unsigned __base = __field == ios_base::oct ? 8 : __field == ios_base::hex ? 16 : __field == 0 ? 0 : 10;
    bool __any = false;
    int_type __c = this->rdbuf()->sgetc();
    if (!__is_end(__c) && (__c == '+' || __c == '-')) {
      __negative = __c == '-';
      __c = this->rdbuf()->snextc();
    }
    if (!__is_end(__c) && __c == '0' && (__base == 0 || __base == 16)) {
      __any = true;
      __c = this->rdbuf()->snextc();
      if (!__is_end(__c) && (__c == 'x' || __c == 'X')) {
        __any = false;
        __base = 16;
        __c = this->rdbuf()->snextc();
      } else if (__base == 0) {
        __base = 8;
      }
    }
    if (__base == 0) __base = 10;
    for (; !__is_end(__c); __c = this->rdbuf()->snextc()) {
      unsigned __digit = __c >= '0' && __c <= '9'   ? __c - '0'
                         : __c >= 'a' && __c <= 'f' ? __c - 'a' + 10
                         : __c >= 'A' && __c <= 'F' ? __c - 'A' + 10
                                                    : 16;
      if (__digit >= __base) break;
      __any = true;
      if (__magnitude > (-1ull - __digit) / __base) __too_large = true;
      __magnitude = __magnitude * __base + __digit;
    }
    if (__is_end(__c)) this->__state.__bits |= ios_base::eofbit;
    return __any;
  }
  template <class _Int> basic_istream &__signed_number(_Int &__value, long long __least, long long __most) {
    sentry __ready(*this);
    if (!__ready) return *this;
    unsigned long long __magnitude;
    bool __negative, __too_large;
    if (!__digits(__magnitude, __negative, __too_large)) {
      __value = 0;
      this->__found(ios_base::failbit);
    } else if (__too_large || __magnitude > static_cast<unsigned long long>(__most) + __negative) {
      __value = static_cast<_Int>(__negative ? __least : __most);
      this->__found(ios_base::failbit);
    } else {
      __value = static_cast<_Int>(__negative ? 0 - __magnitude : __magnitude);
      this->__found(this->rdstate());
    }
    return *this;
  }
  template <class _Int> basic_istream &__unsigned_number(_Int &__value, unsigned long long __most) {
    sentry __ready(*this);
    if (!__ready) return *this;
    unsigned long long __magnitude;
    bool __negative, __too_large;
    if (!__digits(__magnitude, __negative, __too_large)) {
      __value = 0;
      this->__found(ios_base::failbit);
    } else if (__too_large || __magnitude > __most) {
      __value = static_cast<_Int>(__most);
      this->__found(ios_base::failbit);
    } else {
      __value = static_cast<_Int>(__negative ? 0 - __magnitude : __magnitude);
      this->__found(this->rdstate());
    }
    return *this;
  }
  basic_istream &__float_number(double &__value) {
    sentry __ready(*this);
    if (!__ready) return *this;
    char __text[128];
    int __size = 0;
    bool __exponent = false, __point = false, __digits = false;
    int_type __c = this->rdbuf()->sgetc();
    for (; !__is_end(__c) && __size < 127; __c = this->rdbuf()->snextc()) {
      bool __is_digit = __c >= '0' && __c <= '9';
      bool __is_sign = (__c == '+' || __c == '-') && (__size == 0 || __text[__size - 1] == 'e');
      bool __is_point = __c == '.' && !__point && !__exponent;
      bool __is_exponent = (__c == 'e' || __c == 'E') && __digits && !__exponent;
      if (!__is_digit && !__is_sign && !__is_point && !__is_exponent) break;
      __digits |= __is_digit;
      __point |= __is_point;
      __exponent |= __is_exponent;
      __text[__size++] = __is_exponent ? 'e' : static_cast<char>(__c);
    }
    __text[__size] = 0;
    if (__is_end(__c)) this->__state.__bits |= ios_base::eofbit;
    if (!__fencepost_float_value(__text, &__value)) {
      __value = 0;
      this->__found(ios_base::failbit);
    } else {
      this->__found(this->rdstate());
    }
    return *this;
  }

  streamsize __read = 0;
};

template <class _CharT, class _Traits>
basic_istream<_CharT, _Traits> &basic_istream<_CharT, _Traits>::operator>>(bool &__value) {
  if (!(this->flags() & ios_base::boolalpha)) {
    long __number = -1;
    *this >> __number;
    if (this->fail() && __number == 0) __value = false;
    else {
      __value = __number != 0;
      if (__number != 0 && __number != 1) this->__found(ios_base::failbit);
    }
    return *this;
  }
  sentry __ready(*this);
  if (!__ready) return *this;
  const char *__name = this->rdbuf()->sgetc() == 't' ? "true" : "false";
  int_type __c = this->rdbuf()->sgetc();
  const char *__at = __name;
  for (; *__at && !__is_end(__c) && __c == *__at; __at++) __c = this->rdbuf()->snextc();
  __value = !*__at && *__name == 't';
  this->__found((__is_end(__c) ? ios_base::eofbit : 0) | (*__at ? ios_base::failbit : 0));
  return *this;
}

template <class _CharT, class _Traits> class basic_iostream : public basic_istream<_CharT, _Traits>,
                                                              public basic_ostream<_CharT, _Traits> {
public:
  typedef _CharT char_type;
  typedef _Traits traits_type;
  typedef typename _Traits::int_type int_type;
  typedef typename _Traits::pos_type pos_type;
  typedef typename _Traits::off_type off_type;
  explicit basic_iostream(basic_streambuf<_CharT, _Traits> *__buffer)
      : basic_istream<_CharT, _Traits>(), basic_ostream<_CharT, _Traits>() {
    this->init(__buffer);
  }
  virtual ~basic_iostream() {}

protected:
  basic_iostream() {}
  basic_iostream(basic_iostream &&__other)
      : basic_istream<_CharT, _Traits>(static_cast<basic_istream<_CharT, _Traits> &&>(__other)) {}
  basic_iostream &operator=(basic_iostream &&__other) {
    swap(__other);
    return *this;
  }
  void swap(basic_iostream &__other) { basic_istream<_CharT, _Traits>::swap(__other); }
};

extern istream cin;
extern wistream wcin;
__FENCEPOST_END

#include <fencepost/extract.h>
#endif
