/* The classic locale, which is the only one: what classifies and converts characters, and the punctuation of numbers. */
#ifndef __FENCEPOST_LOCALE_H
#define __FENCEPOST_LOCALE_H
#include <fencepost/config.h>
#pragma GCC system_header

#include <cctype>
#include <cwchar>
#include <cwctype>
#include <string>

__FENCEPOST_BEGIN

class locale {
public:
  typedef int category;
  static constexpr category none = 0, collate = 1, ctype = 2, monetary = 4, numeric = 8, time = 16, messages = 32,
                            all = 63;
  class facet {
  public:
    facet(const facet &) = delete;
    facet &operator=(const facet &) = delete;

  protected:
    explicit constexpr facet(size_t = 0) noexcept {}
    virtual ~facet() {}
  };
  class id {
  public:
    constexpr id() {}
    id(const id &) = delete;
    void operator=(const id &) = delete;
  };

  constexpr locale() noexcept {}
  constexpr locale(const locale &) noexcept {}
  explicit locale(const char *__name) { __check(__name); }
  explicit locale(const string &__name) { __check(__name.c_str()); }
  locale(const locale &, const char *__name, category) { __check(__name); }
  locale(const locale &, const string &__name, category) { __check(__name.c_str()); }
  locale(const locale &, const locale &, category) {}
  template <class _Facet> locale(const locale &, _Facet *) {
    __fencepost_refuse("a `std::locale` with a facet of the program");
  }
  const locale &operator=(const locale &) noexcept { return *this; }
  template <class _Facet> locale combine(const locale &) const { return *this; }

  string name() const { return "C"; }
  bool operator==(const locale &) const { return true; }
  bool operator!=(const locale &) const { return false; }
  template <class _CharT, class _Traits, class _Alloc> bool
  operator()(const basic_string<_CharT, _Traits, _Alloc> &__a, const basic_string<_CharT, _Traits, _Alloc> &__b) const {
    return __a < __b;
  }
  static locale global(const locale &) { return locale(); }
  static const locale &classic();

private:
  /* What the environment would choose counts as the classic one. */
  static void __check(const char *__name) {
    if (__name[0] == 0 || (__name[0] == 'C' && __name[1] == 0)) return;
    const char *__posix = "POSIX";
    for (int __i = 0; __name[__i] == __posix[__i]; __i++)
      if (!__posix[__i]) return;
    __fencepost_refuse("a `std::locale` other than \"C\"");
  }
};

template <class _Type> struct __classic {
  __attribute__((no_destroy)) static const _Type __value;
};
template <class _Type> const _Type __classic<_Type>::__value{};
inline const locale &locale::classic() { return __classic<locale>::__value; }

class ctype_base {
public:
  typedef unsigned short mask;
  static constexpr mask upper = 1, lower = 2, alpha = 4, digit = 8, xdigit = 16, space = 32, print = 64, cntrl = 128,
                        punct = 256, blank = 512, alnum = alpha | digit, graph = alnum | punct, __regex_word = 1024;
};

/* Characters beyond ASCII belong to no class, as in the classic locale. */
constexpr ctype_base::mask __class_of(long __c) {
  return (__c >= 'A' && __c <= 'Z'                ? ctype_base::upper | ctype_base::alpha | ctype_base::print
          : __c >= 'a' && __c <= 'z'              ? ctype_base::lower | ctype_base::alpha | ctype_base::print
          : __c >= '0' && __c <= '9'              ? ctype_base::digit | ctype_base::xdigit | ctype_base::print
          : __c == ' '                            ? ctype_base::space | ctype_base::blank | ctype_base::print
          : __c == '\t'                           ? ctype_base::space | ctype_base::blank | ctype_base::cntrl
          : __c >= '\n' && __c <= '\r'            ? ctype_base::space | ctype_base::cntrl
          : (__c >= 0 && __c < ' ') || __c == 127 ? ctype_base::cntrl
          : __c > ' ' && __c < 127                ? ctype_base::punct | ctype_base::print
                                                  : 0) |
         ((__c >= 'A' && __c <= 'F') || (__c >= 'a' && __c <= 'f') ? ctype_base::xdigit : 0);
}
template <class _CharT> constexpr _CharT __upper(_CharT __c) {
  return __c >= 'a' && __c <= 'z' ? static_cast<_CharT>(__c - 32) : __c;
}
template <class _CharT> constexpr _CharT __lower(_CharT __c) {
  return __c >= 'A' && __c <= 'Z' ? static_cast<_CharT>(__c + 32) : __c;
}

template <class _CharT> class ctype : public locale::facet, public ctype_base {
public:
  typedef _CharT char_type;
  explicit constexpr ctype(size_t = 0) {}
  explicit constexpr ctype(const mask *, bool = false, size_t = 0) {}
  ~ctype() {}
  static locale::id id;
  bool is(mask __mask, char_type __c) const { return do_is(__mask, __c); }
  const char_type *is(const char_type *__from, const char_type *__end, mask *__to) const {
    for (; __from != __end; __from++) *__to++ = __class_of(__from[0]);
    return __end;
  }
  const char_type *scan_is(mask __mask, const char_type *__from, const char_type *__end) const {
    while (__from != __end && !is(__mask, *__from)) __from++;
    return __from;
  }
  const char_type *scan_not(mask __mask, const char_type *__from, const char_type *__end) const {
    while (__from != __end && is(__mask, *__from)) __from++;
    return __from;
  }
  char_type toupper(char_type __c) const { return do_toupper(__c); }
  const char_type *toupper(char_type *__from, const char_type *__end) const {
    for (; __from != __end; __from++) *__from = toupper(*__from);
    return __end;
  }
  char_type tolower(char_type __c) const { return do_tolower(__c); }
  const char_type *tolower(char_type *__from, const char_type *__end) const {
    for (; __from != __end; __from++) *__from = tolower(*__from);
    return __end;
  }
  char_type widen(char __c) const { return static_cast<char_type>(__c); }
  const char *widen(const char *__from, const char *__end, char_type *__to) const {
    while (__from != __end) *__to++ = widen(*__from++);
    return __end;
  }
  char narrow(char_type __c, char __other) const {
    return sizeof(char_type) == 1 || (__c >= 0 && static_cast<long>(__c) < 128) ? static_cast<char>(__c) : __other;
  }
  const char_type *narrow(const char_type *__from, const char_type *__end, char __other, char *__to) const {
    while (__from != __end) *__to++ = narrow(*__from++, __other);
    return __end;
  }

protected:
  virtual bool do_is(mask __mask, char_type __c) const { return (__class_of(__c) & __mask) != 0; }
  virtual char_type do_toupper(char_type __c) const { return __upper(__c); }
  virtual char_type do_tolower(char_type __c) const { return __lower(__c); }
};
template <class _CharT> locale::id ctype<_CharT>::id;
template <class _CharT> class ctype_byname : public ctype<_CharT> {
public:
  explicit ctype_byname(const char *__name, size_t = 0) { (void)locale(__name); }
};

__FENCEPOST_BEGIN_MEMORY
template <class _CharT> class numpunct : public locale::facet {
public:
  typedef _CharT char_type;
  typedef basic_string<_CharT> string_type;
  explicit constexpr numpunct(size_t = 0) {}
  ~numpunct() {}
  static locale::id id;
  char_type decimal_point() const { return do_decimal_point(); }
  char_type thousands_sep() const { return do_thousands_sep(); }
  string grouping() const { return do_grouping(); }
  string_type truename() const { return do_truename(); }
  string_type falsename() const { return do_falsename(); }

protected:
  virtual char_type do_decimal_point() const { return '.'; }
  virtual char_type do_thousands_sep() const { return ','; }
  virtual string do_grouping() const { return string(); }
  virtual string_type do_truename() const { return __widened("true"); }
  virtual string_type do_falsename() const { return __widened("false"); }

private:
  static string_type __widened(const char *__text) {
    string_type __to;
    for (; *__text; __text++) __to += static_cast<_CharT>(*__text);
    return __to;
  }
};
template <class _CharT> locale::id numpunct<_CharT>::id;

template <class _CharT> class collate : public locale::facet {
public:
  typedef _CharT char_type;
  typedef basic_string<_CharT> string_type;
  explicit constexpr collate(size_t = 0) {}
  ~collate() {}
  static locale::id id;
  int compare(const _CharT *__a, const _CharT *__a_end, const _CharT *__b, const _CharT *__b_end) const {
    return string_type(__a, __a_end).compare(string_type(__b, __b_end));
  }
  string_type transform(const _CharT *__from, const _CharT *__end) const { return string_type(__from, __end); }
};
template <class _CharT> locale::id collate<_CharT>::id;
__FENCEPOST_END_MEMORY

class codecvt_base {
public:
  enum result { ok, partial, error, noconv };
};
template <class _Intern, class _Extern, class _State> class codecvt : public locale::facet, public codecvt_base {
public:
  typedef _Intern intern_type;
  typedef _Extern extern_type;
  typedef _State state_type;
  explicit codecvt(size_t = 0) {}
  ~codecvt() {}
  static locale::id id;
  result out(_State &, const _Intern *, const _Intern *, const _Intern *&, _Extern *, _Extern *, _Extern *&) const {
    return __refused();
  }
  result in(_State &, const _Extern *, const _Extern *, const _Extern *&, _Intern *, _Intern *, _Intern *&) const {
    return __refused();
  }
  result unshift(_State &, _Extern *, _Extern *, _Extern *&) const { return __refused(); }
  int encoding() const noexcept { return 1; }
  bool always_noconv() const noexcept { return false; }
  int length(_State &, const _Extern *, const _Extern *, size_t) const { return __refused(); }
  int max_length() const noexcept { return 1; }

private:
  static result __refused() {
    __fencepost_refuse("conversions between character sets (`std::codecvt`)");
    return error;
  }
};
template <class _Intern, class _Extern, class _State> locale::id codecvt<_Intern, _Extern, _State>::id;

class time_base {
public:
  enum dateorder { no_order, dmy, mdy, ymd, ydm };
};
/* Times are written and read in no locale. */
template <class _CharT, class _Out = ostreambuf_iterator<_CharT, char_traits<_CharT>>>
class time_put : public locale::facet, public time_base {
public:
  template <class _Base, class... _Arguments> _Out put(_Out __to, _Base &, _CharT, const _Arguments &...) const {
    __fencepost_refuse("`std::time_put`");
    return __to;
  }
};
class money_base {
public:
  enum part { none, space, symbol, sign, value };
  struct pattern {
    char field[4];
  };
};

/* The facets that are there. Others are refused where they are asked for. `std::regex` asks for a constant one. */
template <class _Facet> struct __has_facet {
  static constexpr bool __value = false;
};
template <class _Facet> struct __has_facet<const _Facet> : __has_facet<_Facet> {};
template <class _CharT> struct __has_facet<ctype<_CharT>> {
  static constexpr bool __value = true;
};
template <class _CharT> struct __has_facet<numpunct<_CharT>> {
  static constexpr bool __value = true;
};
template <class _CharT> struct __has_facet<collate<_CharT>> {
  static constexpr bool __value = true;
};
template <class _Facet, bool = __has_facet<_Facet>::__value> struct __facet {
  static const _Facet &__get() { return __classic<_Facet>::__value; }
};
template <class _Facet> struct __facet<_Facet, false> {
  static const _Facet &__get() {
    __fencepost_refuse("a facet of `std::locale` other than `ctype`, `numpunct` and `collate`");
    return *static_cast<const _Facet *>(nullptr);
  }
};
template <class _Facet> const _Facet &use_facet(const locale &) { return __facet<_Facet>::__get(); }
template <class _Facet> bool has_facet(const locale &) noexcept { return __has_facet<_Facet>::__value; }

#define __FENCEPOST_CLASS(__name, __mask)                                                                              \
  template <class _CharT> inline bool __name(_CharT __c, const locale &) { return (__class_of(__c) & (__mask)) != 0; }
__FENCEPOST_CLASS(isspace, ctype_base::space)
__FENCEPOST_CLASS(isprint, ctype_base::print)
__FENCEPOST_CLASS(iscntrl, ctype_base::cntrl)
__FENCEPOST_CLASS(isupper, ctype_base::upper)
__FENCEPOST_CLASS(islower, ctype_base::lower)
__FENCEPOST_CLASS(isalpha, ctype_base::alpha)
__FENCEPOST_CLASS(isdigit, ctype_base::digit)
__FENCEPOST_CLASS(ispunct, ctype_base::punct)
__FENCEPOST_CLASS(isxdigit, ctype_base::xdigit)
__FENCEPOST_CLASS(isalnum, ctype_base::alnum)
__FENCEPOST_CLASS(isgraph, ctype_base::graph)
__FENCEPOST_CLASS(isblank, ctype_base::blank)
#undef __FENCEPOST_CLASS
template <class _CharT> inline _CharT toupper(_CharT __c, const locale &) { return __upper(__c); }
template <class _CharT> inline _CharT tolower(_CharT __c, const locale &) { return __lower(__c); }

__FENCEPOST_END
#endif
