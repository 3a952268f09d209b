/* Streams in memory. The text is a string; there are no areas beside it, so all that is read and written goes through the
 * virtual functions. */
#ifndef __FENCEPOST_SSTREAM_H
#define __FENCEPOST_SSTREAM_H
#include <fencepost/istream.h>
#pragma GCC system_header

#if __cplusplus >= 202002L
#include <string_view>
#endif

__FENCEPOST_BEGIN
__FENCEPOST_BEGIN_MEMORY

template <class _CharT, class _Traits, class _Alloc> class basic_stringbuf : public basic_streambuf<_CharT, _Traits> {
public:
  typedef _CharT char_type;
  typedef _Traits traits_type;
  typedef _Alloc allocator_type;
  typedef typename _Traits::int_type int_type;
  typedef typename _Traits::pos_type pos_type;
  typedef typename _Traits::off_type off_type;
  typedef basic_string<_CharT, _Traits, _Alloc> __string_type;
  typedef ios_base::openmode __mode_type;

  basic_stringbuf() {}
  explicit basic_stringbuf(__mode_type __mode) : __mode(__mode) {}
  explicit basic_stringbuf(const __string_type &__text, __mode_type __mode = ios_base::in | ios_base::out)
      : __text(__text), __mode(__mode) {
    __start();
  }
  basic_stringbuf(basic_stringbuf &&__other)
      : basic_streambuf<_CharT, _Traits>(__other), __text(static_cast<__string_type &&>(__other.__text)),
        __mode(__other.__mode), __read(__other.__read), __written(__other.__written) {
    __other.str(__string_type());
  }
  basic_stringbuf &operator=(basic_stringbuf &&__other) {
    __text = static_cast<__string_type &&>(__other.__text);
    __mode = __other.__mode;
    __read = __other.__read;
    __written = __other.__written;
    __other.str(__string_type());
    return *this;
  }
  void swap(basic_stringbuf &__other) {
    basic_stringbuf __mine(static_cast<basic_stringbuf &&>(*this));
    *this = static_cast<basic_stringbuf &&>(__other);
    __other = static_cast<basic_stringbuf &&>(__mine);
  }

#if __cplusplus >= 202002L
  explicit basic_stringbuf(__string_type &&__text, __mode_type __mode = ios_base::in | ios_base::out)
      : __text(static_cast<__string_type &&>(__text)), __mode(__mode) {
    __start();
  }
  __string_type str() const & { return __text; }
  __string_type str() && {
    __string_type __result(static_cast<__string_type &&>(__text));
    str(__string_type());
    return __result;
  }
  void str(__string_type &&__new) {
    __text = static_cast<__string_type &&>(__new);
    __start();
  }
  basic_string_view<_CharT, _Traits> view() const noexcept { return __text; }
  allocator_type get_allocator() const noexcept { return __text.get_allocator(); }
#else
  __string_type str() const { return __text; }
#endif
  void str(const __string_type &__new) {
    __text = __new;
    __start();
  }

protected:
  streamsize showmanyc() override {
    return __mode & ios_base::in ? static_cast<streamsize>(__text.size() - __read) : -1;
  }
  int_type underflow() override {
    if (!(__mode & ios_base::in) || __read >= __text.size()) return _Traits::eof();
    return _Traits::to_int_type(__text[__read]);
  }
  int_type uflow() override {
    int_type __c = basic_stringbuf::underflow();
    if (!_Traits::eq_int_type(__c, _Traits::eof())) __read++;
    return __c;
  }
  int_type pbackfail(int_type __c = _Traits::eof()) override {
    if (!(__mode & ios_base::in) || __read == 0) return _Traits::eof();
    if (!_Traits::eq_int_type(__c, _Traits::eof()) && !_Traits::eq(_Traits::to_char_type(__c), __text[__read - 1])) {
      if (!(__mode & ios_base::out)) return _Traits::eof();
      __text[__read - 1] = _Traits::to_char_type(__c);
    }
    __read--;
    return _Traits::not_eof(__c);
  }
  int_type overflow(int_type __c = _Traits::eof()) override {
    if (!(__mode & ios_base::out)) return _Traits::eof();
    if (_Traits::eq_int_type(__c, _Traits::eof())) return _Traits::not_eof(__c);
    if (__written == __text.size()) __text.push_back(_Traits::to_char_type(__c));
    else __text[__written] = _Traits::to_char_type(__c);
    __written++;
    return __c;
  }
  streamsize xsputn(const char_type *__from, streamsize __size) override {
    if (!(__mode & ios_base::out) || __size <= 0) return 0;
    size_t __over = __text.size() - __written;
    if (__over == 0) __text.append(__from, static_cast<size_t>(__size));
    else
      __text.replace(__written, __over < static_cast<size_t>(__size) ? __over : static_cast<size_t>(__size), __from,
                     static_cast<size_t>(__size));
    __written += static_cast<size_t>(__size);
    return __size;
  }
  pos_type seekoff(off_type __off, ios_base::seekdir __from,
                   __mode_type __which = ios_base::in | ios_base::out) override {
    const pos_type __fails = pos_type(off_type(-1));
    __which &= __mode;
    if (!(__which & (ios_base::in | ios_base::out))) return __fails;
    const bool __both = (__which & ios_base::in) && (__which & ios_base::out);
    if (__both && __from == ios_base::cur) return __fails;
    off_type __start = __from == ios_base::beg   ? 0
                       : __from == ios_base::end ? static_cast<off_type>(__text.size())
                                                 : static_cast<off_type>(__which & ios_base::in ? __read : __written);
    if (__start + __off < 0 || __start + __off > static_cast<off_type>(__text.size())) return __fails;
    if (__which & ios_base::in) __read = static_cast<size_t>(__start + __off);
    if (__which & ios_base::out) __written = static_cast<size_t>(__start + __off);
    return pos_type(__start + __off);
  }
  pos_type seekpos(pos_type __at, __mode_type __which = ios_base::in | ios_base::out) override {
    return basic_stringbuf::seekoff(off_type(__at), ios_base::beg, __which);
  }

private:
  void __start() {
    __read = 0;
    __written = __mode & (ios_base::app | ios_base::ate) ? __text.size() : 0;
  }

  __string_type __text;
  __mode_type __mode = ios_base::in | ios_base::out;
  size_t __read = 0, __written = 0;
};

/* A stream of each direction that owns its buffer. `__fixed` is what its mode always has. */
#if __cplusplus >= 202002L
#define __FENCEPOST_SINCE_20(__name, __fixed)                                                                          \
  explicit __name(__string_type &&__text, ios_base::openmode __mode = __fixed)                                         \
      : __base(nullptr), __buffer(static_cast<__string_type &&>(__text), __mode | (__fixed)) {                         \
    this->init(&__buffer);                                                                                             \
  }                                                                                                                    \
  __string_type str() const & { return __buffer.str(); }                                                               \
  __string_type str() && { return static_cast<__buffer_type &&>(__buffer).str(); }                                     \
  void str(__string_type &&__text) { __buffer.str(static_cast<__string_type &&>(__text)); }                            \
  basic_string_view<_CharT, _Traits> view() const noexcept { return __buffer.view(); }
#else
#define __FENCEPOST_SINCE_20(__name, __fixed)                                                                          \
  __string_type str() const { return __buffer.str(); }
#endif
#define __FENCEPOST_MEMORY(__name, __parent, __default, __fixed)                                                       \
  template <class _CharT, class _Traits, class _Alloc> class __name : public __parent<_CharT, _Traits> {               \
    typedef __parent<_CharT, _Traits> __base;                                                                          \
    typedef basic_stringbuf<_CharT, _Traits, _Alloc> __buffer_type;                                                    \
    typedef basic_string<_CharT, _Traits, _Alloc> __string_type;                                                       \
                                                                                                                       \
  public:                                                                                                              \
    typedef _CharT char_type;                                                                                          \
    typedef _Traits traits_type;                                                                                       \
    typedef _Alloc allocator_type;                                                                                     \
    typedef typename _Traits::int_type int_type;                                                                       \
    typedef typename _Traits::pos_type pos_type;                                                                       \
    typedef typename _Traits::off_type off_type;                                                                       \
    __name() : __base(nullptr), __buffer(__default) { this->init(&__buffer); }                                         \
    explicit __name(ios_base::openmode __mode) : __base(nullptr), __buffer(__mode | (__fixed)) {                       \
      this->init(&__buffer);                                                                                           \
    }                                                                                                                  \
    explicit __name(const __string_type &__text, ios_base::openmode __mode = __default)                                \
        : __base(nullptr), __buffer(__text, __mode | (__fixed)) {                                                      \
      this->init(&__buffer);                                                                                           \
    }                                                                                                                  \
    __name(__name &&__other)                                                                                           \
        : __base(static_cast<__base &&>(__other)), __buffer(static_cast<__buffer_type &&>(__other.__buffer)) {         \
      this->set_rdbuf(&__buffer);                                                                                      \
    }                                                                                                                  \
    ~__name() {}                                                                                                       \
    __name &operator=(__name &&__other) {                                                                              \
      __base::operator=(static_cast<__base &&>(__other));                                                              \
      __buffer = static_cast<__buffer_type &&>(__other.__buffer);                                                      \
      return *this;                                                                                                    \
    }                                                                                                                  \
    void swap(__name &__other) {                                                                                       \
      __base::swap(__other);                                                                                           \
      __buffer.swap(__other.__buffer);                                                                                 \
    }                                                                                                                  \
    __FENCEPOST_SINCE_20(__name, __fixed)                                                                              \
    void str(const __string_type &__text) { __buffer.str(__text); }                                                    \
    __buffer_type *rdbuf() const { return const_cast<__buffer_type *>(&__buffer); }                                    \
    using __base::rdbuf;                                                                                               \
                                                                                                                       \
  private:                                                                                                             \
    __buffer_type __buffer;                                                                                            \
  };                                                                                                                   \
  template <class _CharT, class _Traits, class _Alloc>                                                                 \
  void swap(__name<_CharT, _Traits, _Alloc> &__a, __name<_CharT, _Traits, _Alloc> &__b) {                              \
    __a.swap(__b);                                                                                                     \
  }
__FENCEPOST_MEMORY(basic_ostringstream, basic_ostream, ios_base::out, ios_base::out)
__FENCEPOST_MEMORY(basic_istringstream, basic_istream, ios_base::in, ios_base::in)
__FENCEPOST_MEMORY(basic_stringstream, basic_iostream, ios_base::in | ios_base::out, 0)
#undef __FENCEPOST_MEMORY
#undef __FENCEPOST_SINCE_20

__FENCEPOST_END_MEMORY
__FENCEPOST_END
#endif
