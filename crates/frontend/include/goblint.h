/* What programs for Goblint call, under the name of its header. */
#ifndef FENCEPOST_GOBLINT_H
#define FENCEPOST_GOBLINT_H

#ifdef __cplusplus
extern "C" {
#define FENCEPOST_BOOL bool
#else
#define FENCEPOST_BOOL _Bool
#endif

void __goblint_check(FENCEPOST_BOOL condition);
void __goblint_assert(FENCEPOST_BOOL condition);
/* Gives up the execution when the condition does not hold. */
void __goblint_assume(FENCEPOST_BOOL condition);

/* Gives up the execution when the thread has not ended. Some take what their users do not declare. */
#ifdef __cplusplus
void __goblint_assume_join(...);
#else
void __goblint_assume_join();
#endif

/* Hints for an abstract interpreter. They mean nothing here. */
void __goblint_globalize(void *pointer);
void __goblint_split_begin(int expression);
void __goblint_split_end(int expression);
void __goblint_bounded(unsigned long long expression);

#undef FENCEPOST_BOOL
#ifdef __cplusplus
}
#endif
#endif
