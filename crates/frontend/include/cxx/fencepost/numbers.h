/* Conversions between numbers and strings, which libc++ only declares. */
#ifndef __FENCEPOST_NUMBERS_H
#define __FENCEPOST_NUMBERS_H
#pragma GCC system_header
#include <cerrno>
#include <cstdio>
#include <cstdlib>

_LIBCPP_BEGIN_NAMESPACE_STD
inline string __number_text(unsigned long long __magnitude, bool __negative) {
  char __text[24];
  int __at = 24;
  do {
    __text[--__at] = static_cast<char>('0' + __magnitude % 10);
    __magnitude /= 10;
  } while (__magnitude != 0);
  if (__negative) __text[--__at] = '-';
  return string(__text + __at, static_cast<size_t>(24 - __at));
}
inline string to_string(int __value) { return std::__number_text(__value < 0 ? 0ull - __value : __value, __value < 0); }
inline string to_string(long __value) {
  return std::__number_text(__value < 0 ? 0ull - __value : __value, __value < 0);
}
inline string to_string(long long __value) {
  return std::__number_text(__value < 0 ? 0ull - __value : __value, __value < 0);
}
inline string to_string(unsigned __value) { return std::__number_text(__value, false); }
inline string to_string(unsigned long __value) { return std::__number_text(__value, false); }
inline string to_string(unsigned long long __value) { return std::__number_text(__value, false); }
inline string to_string(double __value) {
  char __text[400];
  int __size = snprintf(__text, sizeof __text, "%f", __value);
  return string(__text, static_cast<size_t>(__size));
}
inline string to_string(float __value) { return std::to_string(static_cast<double>(__value)); }
inline string to_string(long double __value) { return std::to_string(static_cast<double>(__value)); }

/* What `strtol` and similar functions read, or an exception. */
template <class _Number, class _Read>
_Number __number_of(const char *__name, const string &__text, size_t *__length, _Read __read) {
  int __before = errno;
  errno = 0;
  char *__end;
  _Number __value = __read(__text.c_str(), &__end);
  int __error = errno;
  errno = __before;
  if (__end == __text.c_str()) std::__throw_invalid_argument(__name);
  if (__error == ERANGE) std::__throw_out_of_range(__name);
  if (__length) *__length = static_cast<size_t>(__end - __text.c_str());
  return __value;
}
inline long stol(const string &__text, size_t *__length, int __base) {
  return std::__number_of<long>("stol", __text, __length,
                                [=](const char *__from, char **__end) { return strtol(__from, __end, __base); });
}
inline int stoi(const string &__text, size_t *__length, int __base) {
  long __value = std::__number_of<long>(
      "stoi", __text, __length, [=](const char *__from, char **__end) { return strtol(__from, __end, __base); });
  if (__value != static_cast<int>(__value)) std::__throw_out_of_range("stoi");
  return static_cast<int>(__value);
}
inline unsigned long stoul(const string &__text, size_t *__length, int __base) {
  return std::__number_of<unsigned long>(
      "stoul", __text, __length, [=](const char *__from, char **__end) { return strtoul(__from, __end, __base); });
}
inline long long stoll(const string &__text, size_t *__length, int __base) {
  return std::__number_of<long long>("stoll", __text, __length,
                                     [=](const char *__from, char **__end) { return strtoll(__from, __end, __base); });
}
inline unsigned long long stoull(const string &__text, size_t *__length, int __base) {
  return std::__number_of<unsigned long long>(
      "stoull", __text, __length, [=](const char *__from, char **__end) { return strtoull(__from, __end, __base); });
}
inline double stod(const string &__text, size_t *__length) {
  return std::__number_of<double>("stod", __text, __length,
                                  [](const char *__from, char **__end) { return strtod(__from, __end); });
}
inline float stof(const string &__text, size_t *__length) {
  return std::__number_of<float>("stof", __text, __length,
                                 [](const char *__from, char **__end) { return strtof(__from, __end); });
}
_LIBCPP_END_NAMESPACE_STD
#endif
