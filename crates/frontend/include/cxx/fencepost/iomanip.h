/* Manipulators with arguments. */
#ifndef __FENCEPOST_IOMANIP_H
#define __FENCEPOST_IOMANIP_H
#include <fencepost/istream.h>
#pragma GCC system_header

__FENCEPOST_BEGIN

/* One that calls a function with a value on the state of a stream of any characters. */
template <class _Value> struct __manipulator {
  void (*__apply)(ios_base &, _Value);
  _Value __value;
};
template <class _CharT, class _Traits, class _Value> basic_ostream<_CharT, _Traits> &
operator<<(basic_ostream<_CharT, _Traits> &__stream, const __manipulator<_Value> &__with) {
  __with.__apply(__stream, __with.__value);
  return __stream;
}
template <class _CharT, class _Traits, class _Value> basic_istream<_CharT, _Traits> &
operator>>(basic_istream<_CharT, _Traits> &__stream, const __manipulator<_Value> &__with) {
  __with.__apply(__stream, __with.__value);
  return __stream;
}
inline void __apply_width(ios_base &__stream, int __value) { __stream.width(__value); }
inline void __apply_precision(ios_base &__stream, int __value) { __stream.precision(__value); }
inline void __apply_flags(ios_base &__stream, unsigned __value) { __stream.setf(__value); }
inline void __apply_no_flags(ios_base &__stream, unsigned __value) { __stream.unsetf(__value); }
inline void __apply_base(ios_base &__stream, int __value) {
  __stream.setf(__value == 8    ? ios_base::oct
                : __value == 10 ? ios_base::dec
                : __value == 16 ? ios_base::hex
                                : 0,
                ios_base::basefield);
}
inline __manipulator<int> setw(int __width) { return {__apply_width, __width}; }
inline __manipulator<int> setprecision(int __precision) { return {__apply_precision, __precision}; }
inline __manipulator<int> setbase(int __base) { return {__apply_base, __base}; }
inline __manipulator<unsigned> setiosflags(ios_base::fmtflags __flags) { return {__apply_flags, __flags}; }
inline __manipulator<unsigned> resetiosflags(ios_base::fmtflags __flags) { return {__apply_no_flags, __flags}; }

template <class _CharT> struct __filling {
  _CharT __fill;
};
template <class _CharT> __filling<_CharT> setfill(_CharT __fill) { return {__fill}; }
template <class _CharT, class _Traits, class _Fill>
basic_ostream<_CharT, _Traits> &operator<<(basic_ostream<_CharT, _Traits> &__stream, __filling<_Fill> __with) {
  __stream.fill(static_cast<_CharT>(__with.__fill));
  return __stream;
}

#if __cplusplus >= 201402L
/* A string between quotes, which is written and read. */
template <class _CharT> struct __quoted {
  const _CharT *__from;
  size_t __size;
  _CharT __quote, __escape;
};
template <class _String, class _CharT> struct __quoted_string {
  _String &__to;
  _CharT __quote, __escape;
};
template <class _CharT, class _Traits>
basic_ostream<_CharT, _Traits> &operator<<(basic_ostream<_CharT, _Traits> &__stream, const __quoted<_CharT> &__text) {
  basic_string<_CharT> __out(1, __text.__quote);
  for (size_t __i = 0; __i < __text.__size; __i++) {
    if (__text.__from[__i] == __text.__quote || __text.__from[__i] == __text.__escape) __out += __text.__escape;
    __out += __text.__from[__i];
  }
  __out += __text.__quote;
  return __stream.__padded(__out.data(), static_cast<streamsize>(__out.size()), 0);
}
template <class _CharT, class _Traits, class _String> basic_ostream<_CharT, _Traits> &
operator<<(basic_ostream<_CharT, _Traits> &__stream, const __quoted_string<_String, _CharT> &__text) {
  return __stream << __quoted<_CharT>{__text.__to.data(), __text.__to.size(), __text.__quote, __text.__escape};
}
template <class _CharT, class _Traits, class _String> basic_istream<_CharT, _Traits> &
operator>>(basic_istream<_CharT, _Traits> &__stream, const __quoted_string<_String, _CharT> &__text) {
  _CharT __c;
  __stream >> __c;
  if (__stream.fail()) return __stream;
  if (__c != __text.__quote) {
    __stream.unget();
    return __stream >> __text.__to;
  }
  __text.__to.clear();
  while (__stream.get(__c) && __c != __text.__quote) {
    if (__c == __text.__escape && !__stream.get(__c)) break;
    __text.__to += __c;
  }
  return __stream;
}
template <class _CharT> __quoted<_CharT> quoted(const _CharT *__text, _CharT __quote = '"', _CharT __escape = '\\') {
  return {__text, char_traits<_CharT>::length(__text), __quote, __escape};
}
template <class _CharT, class _Traits, class _Alloc>
__quoted_string<const basic_string<_CharT, _Traits, _Alloc>, _CharT>
quoted(const basic_string<_CharT, _Traits, _Alloc> &__text, _CharT __quote = '"', _CharT __escape = '\\') {
  return {__text, __quote, __escape};
}
template <class _CharT, class _Traits, class _Alloc> __quoted_string<basic_string<_CharT, _Traits, _Alloc>, _CharT>
quoted(basic_string<_CharT, _Traits, _Alloc> &__text, _CharT __quote = '"', _CharT __escape = '\\') {
  return {__text, __quote, __escape};
}
#if __cplusplus >= 201703L
template <class _CharT, class _Traits>
__quoted<_CharT> quoted(basic_string_view<_CharT, _Traits> __text, _CharT __quote = '"', _CharT __escape = '\\') {
  return {__text.data(), __text.size(), __quote, __escape};
}
#endif
#endif

/* Times and money depend on the locale. */
struct __refused_manipulator {};
template <class _CharT, class _Traits>
basic_ostream<_CharT, _Traits> &operator<<(basic_ostream<_CharT, _Traits> &__stream, __refused_manipulator) {
  __fencepost_refuse("`std::put_time` and `std::put_money`");
  return __stream;
}
template <class _CharT, class _Traits>
basic_istream<_CharT, _Traits> &operator>>(basic_istream<_CharT, _Traits> &__stream, __refused_manipulator) {
  __fencepost_refuse("`std::get_time` and `std::get_money`");
  return __stream;
}
template <class _Time, class _CharT> __refused_manipulator put_time(const _Time *, const _CharT *) { return {}; }
template <class _Time, class _CharT> __refused_manipulator get_time(_Time *, const _CharT *) { return {}; }
template <class _Money> __refused_manipulator put_money(const _Money &, bool = false) { return {}; }
template <class _Money> __refused_manipulator get_money(_Money &, bool = false) { return {}; }

__FENCEPOST_END
#endif
