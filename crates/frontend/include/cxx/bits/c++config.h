/* libstdc++'s own configuration, but that its templates for `char` and `wchar_t` are not taken to be in libstdc++.so:
 * their code comes with the program. */
#include_next <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
