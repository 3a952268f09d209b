/* What the library's strings print with. Our own streams define it. */
#pragma once
#include <bits/localefwd.h>
namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
template <class _CharT, class _Traits>
basic_ostream<_CharT, _Traits> &__ostream_insert(basic_ostream<_CharT, _Traits> &, const _CharT *, streamsize);
_GLIBCXX_END_NAMESPACE_VERSION
}
