/* Streams of files, which exist but open none. */
#ifndef __FENCEPOST_FSTREAM_H
#define __FENCEPOST_FSTREAM_H
#include <fencepost/istream.h>
#pragma GCC system_header

__FENCEPOST_BEGIN

template <class _CharT, class _Traits> class basic_filebuf : public basic_streambuf<_CharT, _Traits> {
public:
  typedef _CharT char_type;
  typedef _Traits traits_type;
  typedef typename _Traits::int_type int_type;
  typedef typename _Traits::pos_type pos_type;
  typedef typename _Traits::off_type off_type;
  basic_filebuf() {}
  basic_filebuf(basic_filebuf &&__other) : basic_streambuf<_CharT, _Traits>(__other) {}
  basic_filebuf &operator=(basic_filebuf &&) { return *this; }
  void swap(basic_filebuf &) {}
  bool is_open() const { return false; }
  template <class _Name> basic_filebuf *open(const _Name &, ios_base::openmode) {
    __fencepost_refuse("files (`std::fstream` and similar streams)");
    return nullptr;
  }
  basic_filebuf *close() { return nullptr; }
};

#define __FENCEPOST_FILE(__name, __parent, __default)                                                                  \
  template <class _CharT, class _Traits> class __name : public __parent<_CharT, _Traits> {                             \
    typedef __parent<_CharT, _Traits> __base;                                                                          \
    typedef basic_filebuf<_CharT, _Traits> __buffer_type;                                                              \
                                                                                                                       \
  public:                                                                                                              \
    typedef _CharT char_type;                                                                                          \
    typedef _Traits traits_type;                                                                                       \
    typedef typename _Traits::int_type int_type;                                                                       \
    typedef typename _Traits::pos_type pos_type;                                                                       \
    typedef typename _Traits::off_type off_type;                                                                       \
    __name() : __base(nullptr) { this->init(&__buffer); }                                                              \
    template <class _Name> explicit __name(const _Name &__file, ios_base::openmode __mode = __default)                 \
        : __base(nullptr) {                                                                                            \
      this->init(&__buffer);                                                                                           \
      open(__file, __mode);                                                                                            \
    }                                                                                                                  \
    __name(__name &&__other)                                                                                           \
        : __base(static_cast<__base &&>(__other)), __buffer(static_cast<__buffer_type &&>(__other.__buffer)) {         \
      this->set_rdbuf(&__buffer);                                                                                      \
    }                                                                                                                  \
    ~__name() {}                                                                                                       \
    __name &operator=(__name &&__other) {                                                                              \
      __base::operator=(static_cast<__base &&>(__other));                                                              \
      return *this;                                                                                                    \
    }                                                                                                                  \
    void swap(__name &__other) { __base::swap(__other); }                                                              \
    template <class _Name> void open(const _Name &__file, ios_base::openmode __mode = __default) {                     \
      __buffer.open(__file, __mode);                                                                                   \
    }                                                                                                                  \
    bool is_open() const { return __buffer.is_open(); }                                                                \
    void close() { this->__found(ios_base::failbit); }                                                                 \
    __buffer_type *rdbuf() const { return const_cast<__buffer_type *>(&__buffer); }                                    \
                                                                                                                       \
  private:                                                                                                             \
    __buffer_type __buffer;                                                                                            \
  };                                                                                                                   \
  template <class _CharT, class _Traits> void swap(__name<_CharT, _Traits> &__a, __name<_CharT, _Traits> &__b) {       \
    __a.swap(__b);                                                                                                     \
  }
__FENCEPOST_FILE(basic_ifstream, basic_istream, ios_base::in)
__FENCEPOST_FILE(basic_ofstream, basic_ostream, ios_base::out)
__FENCEPOST_FILE(basic_fstream, basic_iostream, ios_base::in | ios_base::out)
#undef __FENCEPOST_FILE

__FENCEPOST_END
#endif
