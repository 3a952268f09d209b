/* `basic_streambuf`: all that a derived class may override does nothing here. */
#ifndef __FENCEPOST_STREAMBUF_H
#define __FENCEPOST_STREAMBUF_H
#include <fencepost/ios.h>
#pragma GCC system_header

__FENCEPOST_BEGIN

template <class _CharT, class _Traits> class basic_streambuf {
public:
  typedef _CharT char_type;
  typedef _Traits traits_type;
  typedef typename _Traits::int_type int_type;
  typedef typename _Traits::pos_type pos_type;
  typedef typename _Traits::off_type off_type;

  virtual ~basic_streambuf() {}

  locale pubimbue(const locale &__locale) {
    imbue(__locale);
    return locale();
  }
  locale getloc() const { return locale(); }
  basic_streambuf *pubsetbuf(char_type *__text, streamsize __size) { return setbuf(__text, __size); }
  pos_type pubseekoff(off_type __off, ios_base::seekdir __from,
                      ios_base::openmode __which = ios_base::in | ios_base::out) {
    return seekoff(__off, __from, __which);
  }
  pos_type pubseekpos(pos_type __at, ios_base::openmode __which = ios_base::in | ios_base::out) {
    return seekpos(__at, __which);
  }
  int pubsync() { return sync(); }

  streamsize in_avail() { return __next < __read_end ? __read_end - __next : showmanyc(); }
  int_type snextc() { return _Traits::eq_int_type(sbumpc(), _Traits::eof()) ? _Traits::eof() : sgetc(); }
  int_type sbumpc() { return __next < __read_end ? _Traits::to_int_type(*__next++) : uflow(); }
  int_type sgetc() { return __next < __read_end ? _Traits::to_int_type(*__next) : underflow(); }
  streamsize sgetn(char_type *__to, streamsize __size) { return xsgetn(__to, __size); }
  int_type sputbackc(char_type __c) {
    if (__read_begin < __next && _Traits::eq(__c, __next[-1])) return _Traits::to_int_type(*--__next);
    return pbackfail(_Traits::to_int_type(__c));
  }
  int_type sungetc() { return __read_begin < __next ? _Traits::to_int_type(*--__next) : pbackfail(); }
  void stossc() { sbumpc(); }
  int_type sputc(char_type __c) {
    if (__free < __write_end) {
      *__free++ = __c;
      return _Traits::to_int_type(__c);
    }
    return overflow(_Traits::to_int_type(__c));
  }
  streamsize sputn(const char_type *__from, streamsize __size) { return xsputn(__from, __size); }

  /* Protected in the standard; iterators of the library use them. */
  char_type *eback() const { return __read_begin; }
  char_type *gptr() const { return __next; }
  char_type *egptr() const { return __read_end; }
  void gbump(int __count) { __next += __count; }
  void __safe_gbump(streamsize __count) { __next += __count; }
  void setg(char_type *__begin, char_type *__at, char_type *__end) {
    __read_begin = __begin;
    __next = __at;
    __read_end = __end;
  }
  char_type *pbase() const { return __write_begin; }
  char_type *pptr() const { return __free; }
  char_type *epptr() const { return __write_end; }
  void pbump(int __count) { __free += __count; }
  void setp(char_type *__begin, char_type *__end) {
    __write_begin = __free = __begin;
    __write_end = __end;
  }
  /* What `basic_syncbuf` holds while it writes to this buffer. */
  int __lock = 0;

protected:
  constexpr basic_streambuf() {}
  basic_streambuf(const basic_streambuf &) = default;
  basic_streambuf &operator=(const basic_streambuf &) = default;
  void swap(basic_streambuf &__other) {
    basic_streambuf __mine(__other);
    __other = *this;
    *this = __mine;
  }

  virtual void imbue(const locale &) {}
  virtual basic_streambuf *setbuf(char_type *, streamsize) { return this; }
  virtual pos_type seekoff(off_type, ios_base::seekdir, ios_base::openmode = ios_base::in | ios_base::out) {
    return pos_type(off_type(-1));
  }
  virtual pos_type seekpos(pos_type, ios_base::openmode = ios_base::in | ios_base::out) {
    return pos_type(off_type(-1));
  }
  virtual int sync() { return 0; }
  virtual streamsize showmanyc() { return 0; }
  virtual int_type underflow() { return _Traits::eof(); }
  virtual int_type uflow() {
    if (_Traits::eq_int_type(underflow(), _Traits::eof())) return _Traits::eof();
    return _Traits::to_int_type(*__next++);
  }
  virtual int_type pbackfail(int_type = _Traits::eof()) { return _Traits::eof(); }
  virtual int_type overflow(int_type = _Traits::eof()) { return _Traits::eof(); }
  virtual streamsize xsgetn(char_type *__to, streamsize __size) {
    streamsize __done = 0;
    for (; __done < __size; __done++) {
      int_type __c = sbumpc();
      if (_Traits::eq_int_type(__c, _Traits::eof())) break;
      __to[__done] = _Traits::to_char_type(__c);
    }
    return __done;
  }
  virtual streamsize xsputn(const char_type *__from, streamsize __size) {
    streamsize __done = 0;
    while (__done < __size && !_Traits::eq_int_type(sputc(__from[__done]), _Traits::eof())) __done++;
    return __done;
  }

private:
  char_type *__read_begin = nullptr, *__next = nullptr, *__read_end = nullptr;
  char_type *__write_begin = nullptr, *__free = nullptr, *__write_end = nullptr;
};

/* The buffer of a standard stream. What is written to it is printed. */
class __standard_buffer : public basic_streambuf<char> {
public:
  constexpr __standard_buffer() {}

protected:
  int_type overflow(int_type __c) override {
    __use();
    if (!traits_type::eq_int_type(__c, traits_type::eof())) __fencepost_printf("%c", __c);
    return traits_type::not_eof(__c);
  }
  streamsize xsputn(const char *__from, streamsize __size) override {
    __use();
    for (streamsize __i = 0; __i < __size; __i++) __fencepost_printf("%c", __from[__i]);
    return __size;
  }
  int_type underflow() override {
    __fencepost_refuse("input from the buffer of a standard stream");
    return traits_type::eof();
  }

private:
  void __use() {
    if (__fencepost_streams_change() && __is_unsynchronised) __end = 0;
  }
  /* Stands for the memory of a buffer that is not the C library's. */
  long __end = 0;
};

__FENCEPOST_END
#endif
