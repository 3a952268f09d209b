/* What the analysis itself provides; everything else in this directory is written in these. */
#ifdef __cplusplus
extern "C" {
#endif
typedef unsigned long size_type;

/* Starts a thread that waits for its start cell, and returns its number. */
long __fencepost_spawn(void *(*function)(void *), void *argument);
long __fencepost_self(void);
void __fencepost_exit_thread(void *result);
/* Calls the functions that are marked as destructors; ends the program. */
void __fencepost_destructors(void);
/* Calls the destructors of this thread's thread_local variables, if the program has such variables. */
void __fencepost_end_thread_locals(void);
void __fencepost_exit(int status);
/* The value is printed, whatever it looks like. */
void __fencepost_print(long value);

/* Five words of each thread: may it start, has it ended, what did it return, is it to wake up, was it joined or detached. */
long *__fencepost_start_cell(long thread);
long *__fencepost_end_cell(long thread);
void **__fencepost_result_cell(long thread);
long *__fencepost_wake_cell(long thread);
long *__fencepost_claim_cell(long thread);

/* The word that the library has for an address. */
void *__fencepost_beside(const volatile void *address);

/* Block until the memory holds a value, or another one if `except` is 1, and return what it holds; until it holds a value, or one
 * that is at least so large; until a CAS succeeds; until it holds at least `least`, and add to it then. Size, `except` and
 * ordering are constants. */
long __fencepost_wait(const volatile void *memory, long value, int size, int except, int order);
void __fencepost_wait_eq(const volatile void *memory, long value, int size, int order);
void __fencepost_wait_ge(const volatile void *memory, long value, int size, int order);
void __fencepost_add_when_ge(volatile void *memory, long operand, long least, int size, int order);
void __fencepost_bcas(volatile void *memory, long expected, long desired, int size, int order);

/* A new object, and its end. In programs that can tell, memory is used again: see reuse.c. */
void *__fencepost_alloc(size_type size);
/* The same in memory that was never used, and in that of an object of this size that has ended. */
void *__fencepost_alloc_fresh(size_type size);
void *__fencepost_alloc_at(void *pointer, size_type size);
void *__fencepost_alloc_zeroed(size_type size);
void *__fencepost_alloc_zeroed_aligned(size_type size, size_type alignment);
/* At a multiple of a power of two. */
void *__fencepost_alloc_aligned(size_type size, size_type alignment);
void __fencepost_free(void *pointer);
void __fencepost_end_object(void *pointer);
size_type __fencepost_heap_size(void *pointer);
/* Null, or an object of this size that may have been freed, and where the allocator keeps whether it is free. */
void *__fencepost_reuse(size_type size);
void *__fencepost_freed_cell(void *pointer);
int __fencepost_choose(int lo, int hi);
void __fencepost_assume(int condition);
/* Any value from `lo` to `hi`, which are constants. */
int fencepost_choose(int lo, int hi);
/* Any number that is not negative, in proofs; any random one, as the options say. */
long __fencepost_any_number(void);
int __fencepost_any_random(void);
/* The number of the last error, if the program looks at it. */
void __fencepost_set_errno(int number);
/* Ends the thread, after its handlers that clean up. */
void __fencepost_leave_thread(void *result);
/* Prints; the format is a literal. */
void __fencepost_show(const char *format, ...);
/* What this is about is not supported. The text is a literal. */
void __fencepost_refuse(const char *construct);
void __fencepost_fail(void);
/* A format of `printf` has a conversion that is not known. */
void __fencepost_refuse_format(void);
void __fencepost_abort(void);
/* Sends an exception on its way: the function that calls this returns. Nothing catches it: the end of the program. */
void __fencepost_unwind(void *exception);
void __fencepost_uncaught(void);
/* Wrong use of the library: one of these. */
enum { DESTROYED = 1, NOT_INITIALISED = 2, INITIALISED_TWICE = 3, CLAIMED = 4, PRINTS_NULL = 5 };
void __fencepost_misuse(int what);
#ifdef __cplusplus
}
#endif
