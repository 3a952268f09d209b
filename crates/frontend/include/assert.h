/* The system's assert.h, but that each assertion is told to Fencepost, even if the compiler knows that it holds or is never
 * reached. There is no guard: assert.h may be included several times, with NDEBUG and without. */
#include_next <assert.h>

#if defined __FENCEPOST__ && !defined NDEBUG
#undef assert
#ifdef __cplusplus
extern "C" void __fencepost_asserts(void);
extern "C" void __fencepost_assertion_fails(void);
/* A constant expression must not call anything. */
#define assert(...)                                                     \
  (__builtin_is_constant_evaluated() ? (void)0 : __fencepost_asserts(), \
   static_cast<bool>(__VA_ARGS__) ? (void)0 : __fencepost_assertion_fails())
#else
void __fencepost_asserts(void);
void __fencepost_assertion_fails(void);
#define __FENCEPOST_PASTE(a, b) a##b
#define __FENCEPOST_LABEL(number) __FENCEPOST_PASTE(fencepost_assertion_, number)
/* Code that contains a label is compiled even if it is never reached. */
#define assert(...)                                           \
  __extension__({                                             \
    __FENCEPOST_LABEL(__COUNTER__) : __attribute__((unused)); \
    __fencepost_asserts();                                    \
    if (__VA_ARGS__) {                                        \
    } else {                                                  \
      __fencepost_assertion_fails();                          \
    }                                                         \
  })
#endif
#endif
