/* The system's pthread.h, but that functions that clean up are told to Fencepost. The system's macros jump to them. */
#include_next <pthread.h>

#if defined __FENCEPOST__ && !defined __FENCEPOST_CLEANUP__
#define __FENCEPOST_CLEANUP__
#ifdef __cplusplus
extern "C" {
#endif
void __fencepost_cleanup_push(void (*function)(void *), void *argument);
void __fencepost_cleanup_pop(int execute);
#ifdef __cplusplus
}
#endif
#undef pthread_cleanup_push
#undef pthread_cleanup_pop
/* As POSIX has it, they stand in pairs in one block. */
#define pthread_cleanup_push(function, argument) \
  do {                                           \
    __fencepost_cleanup_push(function, argument)
#define pthread_cleanup_pop(execute) \
    __fencepost_cleanup_pop(execute); \
  } while (0)
#endif
