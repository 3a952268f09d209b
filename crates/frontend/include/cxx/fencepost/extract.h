/* Input of characters, words and lines, and the standard input. */
#ifndef __FENCEPOST_EXTRACT_H
#define __FENCEPOST_EXTRACT_H
#pragma GCC system_header

#ifdef _LIBCPP_VERSION
extern const char *const __fencepost_istream_table[] __asm__("_ZTVNSt3__113basic_istreamIcNS_11char_traitsIcEEEE");
#define __FENCEPOST_CIN __asm__("_ZNSt3__13cinE")
#else
extern const char *const __fencepost_istream_table[] __asm__("_ZTVSi");
#define __FENCEPOST_CIN __asm__("_ZSt3cin")
#endif

__FENCEPOST_BEGIN

struct __istream_image {
  const void *__table;
  long __read;
  const void *__ios_table;
  __stream_state __state;
};
static_assert(sizeof(__istream_image) == sizeof(istream), "a stream has the layout of its image");
__attribute__((no_destroy, weak)) __standard_buffer __input_buffer;
namespace __images {
__attribute__((weak)) extern __istream_image cin __FENCEPOST_CIN;
__istream_image cin = {__fencepost_istream_table + 3,
                       0,
                       __fencepost_istream_table + 8,
                       {ios_base::skipws | ios_base::dec, 0, 0, ' ', 6, 0, &__input_buffer, &cout, &__input_buffer, 0}};
} // namespace __images
__attribute__((used)) inline void __with_istream_table() { istream __stream(nullptr); }
#undef __FENCEPOST_CIN
inline bool __is_input(const void *__stream) noexcept {
  return __stream == &__images::cin && static_cast<const istream *>(__stream)->rdbuf() == &__input_buffer;
}

template <class _CharT, class _Traits>
basic_istream<_CharT, _Traits> &operator>>(basic_istream<_CharT, _Traits> &__from, _CharT &__c) {
  typename basic_istream<_CharT, _Traits>::sentry __ready(__from);
  if (!__ready) return __from;
  typename _Traits::int_type __got = __from.rdbuf()->sbumpc();
  if (_Traits::eq_int_type(__got, _Traits::eof())) __from.__found(ios_base::eofbit | ios_base::failbit);
  else __c = _Traits::to_char_type(__got);
  return __from;
}
template <class _Traits>
basic_istream<char, _Traits> &operator>>(basic_istream<char, _Traits> &__from, signed char &__c) {
  return __from >> reinterpret_cast<char &>(__c);
}
template <class _Traits>
basic_istream<char, _Traits> &operator>>(basic_istream<char, _Traits> &__from, unsigned char &__c) {
  return __from >> reinterpret_cast<char &>(__c);
}

/* A word into an array. */
template <class _CharT> struct __array_end {
  _CharT *__at;
  void push_back(_CharT __c) { *__at++ = __c; }
};
template <class _CharT, class _Traits> basic_istream<_CharT, _Traits> &
__extract_array(basic_istream<_CharT, _Traits> &__from, _CharT *__to, streamsize __size) {
  __array_end<_CharT> __end = {__to};
  *__to = _CharT();
  typename basic_istream<_CharT, _Traits>::sentry __ready(__from);
  if (!__ready) return __from;
  streamsize __width = __from.width();
  __from.__word(__end, __width > 0 && __width < __size ? __width - 1 : __size - 1);
  *__end.__at = _CharT();
  return __from;
}
#if __cplusplus >= 202002L
template <class _CharT, class _Traits, size_t _Size>
basic_istream<_CharT, _Traits> &operator>>(basic_istream<_CharT, _Traits> &__from, _CharT (&__to)[_Size]) {
  return std::__extract_array(__from, __to, static_cast<streamsize>(_Size));
}
#else
template <class _CharT, class _Traits>
basic_istream<_CharT, _Traits> &operator>>(basic_istream<_CharT, _Traits> &__from, _CharT *__to) {
  return std::__extract_array(__from, __to, __LONG_MAX__);
}
#endif

template <class _CharT, class _Traits, class _Alloc> basic_istream<_CharT, _Traits> &
__extract_word(basic_istream<_CharT, _Traits> &__from, basic_string<_CharT, _Traits, _Alloc> &__to) {
  typename basic_istream<_CharT, _Traits>::sentry __ready(__from);
  if (!__ready) return __from;
  __to.clear();
  streamsize __width = __from.width();
  __from.__word(__to, __width > 0 ? __width : __LONG_MAX__);
  return __from;
}
template <class _CharT, class _Traits, class _Alloc> basic_istream<_CharT, _Traits> &
__extract_line(basic_istream<_CharT, _Traits> &__from, basic_string<_CharT, _Traits, _Alloc> &__to, _CharT __end) {
  typename basic_istream<_CharT, _Traits>::sentry __ready(__from, true);
  if (!__ready) return __from;
  __to.clear();
  ios_base::iostate __found = 0;
  for (streamsize __count = 0;; __count++) {
    typename _Traits::int_type __c = __from.rdbuf()->sbumpc();
    if (_Traits::eq_int_type(__c, _Traits::eof())) {
      __found = ios_base::eofbit | (__count == 0 ? ios_base::failbit : 0);
      break;
    }
    if (_Traits::eq(_Traits::to_char_type(__c), __end)) break;
    __to.push_back(_Traits::to_char_type(__c));
  }
  __from.__found(__found);
  return __from;
}
#ifdef _LIBCPP_VERSION
template <class _CharT, class _Traits, class _Alloc> basic_istream<_CharT, _Traits> &
operator>>(basic_istream<_CharT, _Traits> &__from, basic_string<_CharT, _Traits, _Alloc> &__to) {
  return std::__extract_word(__from, __to);
}
template <class _CharT, class _Traits, class _Alloc> basic_istream<_CharT, _Traits> &
getline(basic_istream<_CharT, _Traits> &__from, basic_string<_CharT, _Traits, _Alloc> &__to, _CharT __end) {
  return std::__extract_line(__from, __to, __end);
}
template <class _CharT, class _Traits, class _Alloc> basic_istream<_CharT, _Traits> &
getline(basic_istream<_CharT, _Traits> &__from, basic_string<_CharT, _Traits, _Alloc> &__to) {
  return std::__extract_line(__from, __to, __from.widen('\n'));
}
template <class _CharT, class _Traits, class _Alloc> basic_istream<_CharT, _Traits> &
getline(basic_istream<_CharT, _Traits> &&__from, basic_string<_CharT, _Traits, _Alloc> &__to, _CharT __end) {
  return std::__extract_line(__from, __to, __end);
}
template <class _CharT, class _Traits, class _Alloc> basic_istream<_CharT, _Traits> &
getline(basic_istream<_CharT, _Traits> &&__from, basic_string<_CharT, _Traits, _Alloc> &__to) {
  return std::__extract_line(__from, __to, __from.widen('\n'));
}
template <class _CharT, class _Traits, size_t _Size>
basic_istream<_CharT, _Traits> &operator>>(basic_istream<_CharT, _Traits> &__from, bitset<_Size> &__bits) {
  basic_string<_CharT, _Traits> __digits;
  typename basic_istream<_CharT, _Traits>::sentry __ready(__from);
  if (!__ready) return __from;
  for (size_t __i = 0; __i < _Size; __i++) {
    typename _Traits::int_type __c = __from.rdbuf()->sgetc();
    if (__c != '0' && __c != '1') break;
    __digits.push_back(_Traits::to_char_type(__from.rdbuf()->sbumpc()));
  }
  if (__digits.empty() && _Size > 0) __from.__found(ios_base::failbit);
  __bits = bitset<_Size>(__digits);
  return __from;
}
#else
/* The library declares these for strings of `char`, and has them elsewhere. */
template <> inline basic_istream<char> &operator>>(basic_istream<char> &__from, basic_string<char> &__to) {
  return std::__extract_word(__from, __to);
}
template <> inline basic_istream<char> &getline(basic_istream<char> &__from, basic_string<char> &__to, char __end) {
  return std::__extract_line(__from, __to, __end);
}
template <>
inline basic_istream<wchar_t> &getline(basic_istream<wchar_t> &__from, basic_string<wchar_t> &__to, wchar_t __end) {
  return std::__extract_line(__from, __to, __end);
}
#endif

template <class _CharT, class _Traits> basic_istream<_CharT, _Traits> &ws(basic_istream<_CharT, _Traits> &__stream) {
  typename basic_istream<_CharT, _Traits>::sentry __ready(__stream, true);
  if (__ready) __stream.__skip_space(ios_base::eofbit);
  return __stream;
}

template <
    class _Istream, class _Type,
    typename enable_if<!is_lvalue_reference<_Istream>::value && is_base_of<ios_base, _Istream>::value, int>::type = 0>
decltype(std::declval<_Istream &>() >> std::declval<_Type &&>(), std::declval<_Istream &&>())
operator>>(_Istream &&__from, _Type &&__value) {
  __from >> static_cast<_Type &&>(__value);
  return static_cast<_Istream &&>(__from);
}

__FENCEPOST_END
#endif
