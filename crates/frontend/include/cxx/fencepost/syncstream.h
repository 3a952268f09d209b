/* Streams whose output arrives in one piece. What is emitted to the same buffer is in one order, which synchronises. */
#ifndef __FENCEPOST_SYNCSTREAM_H
#define __FENCEPOST_SYNCSTREAM_H
#include <fencepost/sstream.h>
#pragma GCC system_header

#if __cplusplus >= 202002L
extern "C" void __fencepost_bcas(volatile void *memory, long expected, long desired, int size, int order) noexcept;

__FENCEPOST_BEGIN

#if defined _LIBCPP_VERSION && defined _LIBCPP_HAS_NO_EXPERIMENTAL_SYNCSTREAM
template <class _CharT, class _Traits = char_traits<_CharT>, class _Alloc = allocator<_CharT>> class basic_syncbuf;
template <class _CharT, class _Traits = char_traits<_CharT>, class _Alloc = allocator<_CharT>> class basic_osyncstream;
using syncbuf = basic_syncbuf<char>;
using osyncstream = basic_osyncstream<char>;
#endif

template <class _CharT, class _Traits, class _Alloc> class basic_syncbuf
    : public basic_stringbuf<_CharT, _Traits, _Alloc> {
public:
  typedef basic_streambuf<_CharT, _Traits> streambuf_type;
  typedef basic_stringbuf<_CharT, _Traits, _Alloc> __base;
  basic_syncbuf() : basic_syncbuf(nullptr) {}
  explicit basic_syncbuf(streambuf_type *__to) : __base(ios_base::out), __to(__to) {}
  basic_syncbuf(streambuf_type *__to, const _Alloc &) : basic_syncbuf(__to) {}
  basic_syncbuf(basic_syncbuf &&__other)
      : __base(static_cast<__base &&>(__other)), __to(__other.__to), __flushes(__other.__flushes) {
    __other.__to = nullptr;
  }
  basic_syncbuf &operator=(basic_syncbuf &&__other) {
    emit();
    __base::operator=(static_cast<__base &&>(__other));
    __to = __other.__to;
    __flushes = __other.__flushes;
    __other.__to = nullptr;
    return *this;
  }
  ~basic_syncbuf() { emit(); }
  bool emit() {
    if (!__to) return false;
    auto __text = this->str();
    this->str({});
    __fencepost_bcas(&__to->__lock, 0, 1, sizeof(int), __ATOMIC_ACQUIRE);
    bool __done =
        __to->sputn(__text.data(), static_cast<streamsize>(__text.size())) == static_cast<streamsize>(__text.size());
    if (__flushes) __done = __to->pubsync() != -1 && __done;
    __atomic_store_n(&__to->__lock, 0, __ATOMIC_RELEASE);
    __flushes = false;
    return __done;
  }
  streambuf_type *get_wrapped() const noexcept { return __to; }
  void set_emit_on_sync(bool __emits) noexcept { __on_sync = __emits; }
  bool __emits_on_sync() const noexcept { return __on_sync; }

protected:
  int sync() override {
    __flushes = true;
    return __on_sync && !emit() ? -1 : 0;
  }

private:
  streambuf_type *__to;
  bool __on_sync = false, __flushes = false;
};

template <class _CharT, class _Traits, class _Alloc> class basic_osyncstream : public basic_ostream<_CharT, _Traits> {
public:
  typedef _CharT char_type;
  typedef _Traits traits_type;
  typedef _Alloc allocator_type;
  typedef basic_streambuf<_CharT, _Traits> streambuf_type;
  typedef basic_syncbuf<_CharT, _Traits, _Alloc> syncbuf_type;
  explicit basic_osyncstream(streambuf_type *__to) : basic_ostream<_CharT, _Traits>(nullptr), __buffer(__to) {
    this->init(&__buffer);
  }
  explicit basic_osyncstream(basic_ostream<_CharT, _Traits> &__to) : basic_osyncstream(__to.rdbuf()) {}
  basic_osyncstream(basic_osyncstream &&__other)
      : basic_ostream<_CharT, _Traits>(static_cast<basic_ostream<_CharT, _Traits> &&>(__other)),
        __buffer(static_cast<syncbuf_type &&>(__other.__buffer)) {
    this->set_rdbuf(&__buffer);
  }
  ~basic_osyncstream() {}
  void emit() {
    if (!__buffer.emit()) this->__found(ios_base::badbit);
  }
  streambuf_type *get_wrapped() const noexcept { return __buffer.get_wrapped(); }
  syncbuf_type *rdbuf() const noexcept { return const_cast<syncbuf_type *>(&__buffer); }

private:
  syncbuf_type __buffer;
};

template <class _CharT, class _Traits>
basic_ostream<_CharT, _Traits> &emit_on_flush(basic_ostream<_CharT, _Traits> &__stream) {
  if (auto *__buffer = dynamic_cast<basic_syncbuf<_CharT, _Traits> *>(__stream.rdbuf()))
    __buffer->set_emit_on_sync(true);
  return __stream;
}
template <class _CharT, class _Traits>
basic_ostream<_CharT, _Traits> &noemit_on_flush(basic_ostream<_CharT, _Traits> &__stream) {
  if (auto *__buffer = dynamic_cast<basic_syncbuf<_CharT, _Traits> *>(__stream.rdbuf()))
    __buffer->set_emit_on_sync(false);
  return __stream;
}
template <class _CharT, class _Traits>
basic_ostream<_CharT, _Traits> &flush_emit(basic_ostream<_CharT, _Traits> &__stream) {
  __stream.flush();
  if (auto *__buffer = dynamic_cast<basic_syncbuf<_CharT, _Traits> *>(__stream.rdbuf())) __buffer->emit();
  return __stream;
}

__FENCEPOST_END
#endif
#endif
