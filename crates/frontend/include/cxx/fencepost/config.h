/* Streams of our own, in place of those of libstdc++ and libc++: where they go, and what they ask of the analysis. */
#ifndef __FENCEPOST_CONFIG_H
#define __FENCEPOST_CONFIG_H
#pragma GCC system_header

#include <iosfwd>

/* The namespace in which the library has declared its streams, and that of its streams in memory. */
#ifdef _LIBCPP_VERSION
#define __FENCEPOST_BEGIN _LIBCPP_BEGIN_NAMESPACE_STD
#define __FENCEPOST_END _LIBCPP_END_NAMESPACE_STD
#define __FENCEPOST_BEGIN_MEMORY
#define __FENCEPOST_END_MEMORY
#else
#include <ext/atomicity.h>
#define __FENCEPOST_BEGIN                                                                                              \
  namespace std _GLIBCXX_VISIBILITY(default) {                                                                         \
  _GLIBCXX_BEGIN_NAMESPACE_VERSION
#define __FENCEPOST_END                                                                                                \
  _GLIBCXX_END_NAMESPACE_VERSION                                                                                       \
  }
#define __FENCEPOST_BEGIN_MEMORY _GLIBCXX_BEGIN_NAMESPACE_CXX11
#define __FENCEPOST_END_MEMORY _GLIBCXX_END_NAMESPACE_CXX11
#endif

extern "C" {
/* Whether the program mentions `__fencepost_changes_stream` anywhere, which is called by all that changes how a stream
 * formats or where it writes. If not, output to a standard stream need not look at the stream. */
int __fencepost_streams_change(void) noexcept;
void __fencepost_changes_stream(void) noexcept;
/* Prints to a standard stream, and returns nothing. */
void __fencepost_printf(const char *format, ...) noexcept;
/* What this is about is not supported. The text is a literal. */
void __fencepost_refuse(const char *construct) noexcept;
/* The digits of a number with its sign and prefix, written to `text`. Returns the length; `*before` is how much of it
 * comes before the padding of `internal`. */
int __fencepost_integer_text(char *text, unsigned long long magnitude, int sign, unsigned flags, int *before) noexcept;
int __fencepost_float_text(char *text, int size, double value, unsigned flags, int precision, int *before) noexcept;
/* The number in a text, as `strtod` would read all of it. Returns whether there is one. */
int __fencepost_float_value(const char *text, double *value) noexcept;
}
#endif
