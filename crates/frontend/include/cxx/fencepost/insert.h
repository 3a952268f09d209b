/* Output of characters and strings, manipulators, and what libc++ prints here rather than where it declares it. */
#ifndef __FENCEPOST_INSERT_H
#define __FENCEPOST_INSERT_H
#pragma GCC system_header

#ifdef _LIBCPP_VERSION
#include <bitset>
#include <memory>
#include <string_view>
#endif

__FENCEPOST_BEGIN

template <class _CharT, class _Traits> basic_ostream<_CharT, _Traits> &
__ostream_insert(basic_ostream<_CharT, _Traits> &__to, const _CharT *__text, streamsize __size) {
  return __to.__padded(__text, __size, 0);
}

template <class _CharT, class _Traits>
basic_ostream<_CharT, _Traits> &operator<<(basic_ostream<_CharT, _Traits> &__to, _CharT __c) {
  return __to.__padded(&__c, 1, 0);
}
template <class _CharT, class _Traits>
basic_ostream<_CharT, _Traits> &operator<<(basic_ostream<_CharT, _Traits> &__to, char __c) {
  return __to.__padded(&__c, 1, 0);
}
template <class _Traits> basic_ostream<char, _Traits> &operator<<(basic_ostream<char, _Traits> &__to, char __c) {
  if (__direct<char>(&__to)) return __fencepost_printf("%c", static_cast<int>(__c)), __to;
  return __to.__padded(&__c, 1, 0);
}
template <class _Traits> basic_ostream<char, _Traits> &operator<<(basic_ostream<char, _Traits> &__to, signed char __c) {
  return __to << static_cast<char>(__c);
}
template <class _Traits>
basic_ostream<char, _Traits> &operator<<(basic_ostream<char, _Traits> &__to, unsigned char __c) {
  return __to << static_cast<char>(__c);
}

template <class _Char, class _CharT, class _Traits>
basic_ostream<_CharT, _Traits> &__insert_text(basic_ostream<_CharT, _Traits> &__to, const _Char *__text) {
  if (!__text) {
    __to.__found(ios_base::badbit);
    return __to;
  }
  streamsize __size = 0;
  while (__text[__size] != 0) __size++;
  return __to.__padded(__text, __size, 0);
}
template <class _CharT, class _Traits>
basic_ostream<_CharT, _Traits> &operator<<(basic_ostream<_CharT, _Traits> &__to, const _CharT *__text) {
  return std::__insert_text(__to, __text);
}
template <class _CharT, class _Traits>
basic_ostream<_CharT, _Traits> &operator<<(basic_ostream<_CharT, _Traits> &__to, const char *__text) {
  return std::__insert_text(__to, __text);
}
template <class _Traits>
basic_ostream<char, _Traits> &operator<<(basic_ostream<char, _Traits> &__to, const char *__text) {
  if (!__text || !__direct<char>(&__to)) return std::__insert_text(__to, __text);
  while (*__text) __fencepost_printf("%c", *__text++);
  return __to;
}
template <class _Traits>
basic_ostream<char, _Traits> &operator<<(basic_ostream<char, _Traits> &__to, const signed char *__text) {
  return __to << reinterpret_cast<const char *>(__text);
}
template <class _Traits>
basic_ostream<char, _Traits> &operator<<(basic_ostream<char, _Traits> &__to, const unsigned char *__text) {
  return __to << reinterpret_cast<const char *>(__text);
}
#if __cplusplus >= 202002L
template <class _Traits> basic_ostream<char, _Traits> &operator<<(basic_ostream<char, _Traits> &, wchar_t) = delete;
template <class _Traits> basic_ostream<char, _Traits> &operator<<(basic_ostream<char, _Traits> &, char16_t) = delete;
template <class _Traits> basic_ostream<char, _Traits> &operator<<(basic_ostream<char, _Traits> &, char32_t) = delete;
template <class _Traits>
basic_ostream<char, _Traits> &operator<<(basic_ostream<char, _Traits> &, const wchar_t *) = delete;
template <class _Traits>
basic_ostream<char, _Traits> &operator<<(basic_ostream<char, _Traits> &, const char16_t *) = delete;
template <class _Traits>
basic_ostream<char, _Traits> &operator<<(basic_ostream<char, _Traits> &, const char32_t *) = delete;
#ifdef __cpp_char8_t
template <class _Traits> basic_ostream<char, _Traits> &operator<<(basic_ostream<char, _Traits> &, char8_t) = delete;
template <class _Traits>
basic_ostream<char, _Traits> &operator<<(basic_ostream<char, _Traits> &, const char8_t *) = delete;
#endif
#endif

template <class _CharT, class _Traits> basic_ostream<_CharT, _Traits> &endl(basic_ostream<_CharT, _Traits> &__stream) {
  return __stream.put(__direct<_CharT>(&__stream) ? '\n' : __stream.widen('\n')).flush();
}
template <class _CharT, class _Traits> basic_ostream<_CharT, _Traits> &ends(basic_ostream<_CharT, _Traits> &__stream) {
  return __stream.put(_CharT());
}
template <class _CharT, class _Traits> basic_ostream<_CharT, _Traits> &flush(basic_ostream<_CharT, _Traits> &__stream) {
  return __stream.flush();
}

/* A stream that is not a variable. */
template <
    class _Ostream, class _Type,
    typename enable_if<!is_lvalue_reference<_Ostream>::value && is_base_of<ios_base, _Ostream>::value, int>::type = 0>
decltype(std::declval<_Ostream &>() << std::declval<const _Type &>(), std::declval<_Ostream &&>())
operator<<(_Ostream &&__to, const _Type &__value) {
  __to << __value;
  return static_cast<_Ostream &&>(__to);
}

#ifdef _LIBCPP_VERSION
template <class _CharT, class _Traits> basic_ostream<_CharT, _Traits> &
__put_character_sequence(basic_ostream<_CharT, _Traits> &__to, const _CharT *__text, size_t __size) {
  return __to.__padded(__text, static_cast<streamsize>(__size), 0);
}
template <class _CharT, class _Traits, class _Alloc> basic_ostream<_CharT, _Traits> &
operator<<(basic_ostream<_CharT, _Traits> &__to, const basic_string<_CharT, _Traits, _Alloc> &__text) {
  return __to.__padded(__text.data(), static_cast<streamsize>(__text.size()), 0);
}
template <class _CharT, class _Traits> basic_ostream<_CharT, _Traits> &
operator<<(basic_ostream<_CharT, _Traits> &__to, basic_string_view<_CharT, _Traits> __text) {
  return __to.__padded(__text.data(), static_cast<streamsize>(__text.size()), 0);
}
template <class _CharT, class _Traits>
basic_ostream<_CharT, _Traits> &operator<<(basic_ostream<_CharT, _Traits> &__to, const error_code &__code) {
  return __to << __code.category().name() << ':' << __code.value();
}
template <class _CharT, class _Traits, class _Type>
basic_ostream<_CharT, _Traits> &operator<<(basic_ostream<_CharT, _Traits> &__to, const shared_ptr<_Type> &__pointer) {
  return __to << __pointer.get();
}
template <class _CharT, class _Traits, class _Type, class _Delete>
typename enable_if<is_same<void, __void_t<decltype(std::declval<basic_ostream<_CharT, _Traits> &>() << std::declval<
                                                       typename unique_ptr<_Type, _Delete>::pointer>())>>::value,
                   basic_ostream<_CharT, _Traits> &>::type
operator<<(basic_ostream<_CharT, _Traits> &__to, const unique_ptr<_Type, _Delete> &__pointer) {
  return __to << __pointer.get();
}
template <class _CharT, class _Traits, size_t _Size>
basic_ostream<_CharT, _Traits> &operator<<(basic_ostream<_CharT, _Traits> &__to, const bitset<_Size> &__bits) {
  return __to << __bits.template to_string<_CharT, _Traits>();
}
#endif

__FENCEPOST_END
#endif
