/* In place of libc++'s: no member of a string is taken to be in libc++.so, so its code comes with the program. */
#ifndef _LIBCPP___STRING_EXTERN_TEMPLATE_LISTS_H
#define _LIBCPP___STRING_EXTERN_TEMPLATE_LISTS_H
#define _LIBCPP_STRING_V1_EXTERN_TEMPLATE_LIST(function, character)
#define _LIBCPP_STRING_UNSTABLE_EXTERN_TEMPLATE_LIST(function, character)
#endif
