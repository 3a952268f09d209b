/* What the library's strings mention of locales. Our own classic locale defines it. */
#pragma once
#include <bits/c++config.h>
#include <iosfwd>
#include <cctype>
namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
class locale;
class ctype_base;
template <class _CharT> class ctype;
template <class _Facet> const _Facet &use_facet(const locale &);
template <class _Facet> bool has_facet(const locale &) noexcept;
_GLIBCXX_END_NAMESPACE_VERSION
}
