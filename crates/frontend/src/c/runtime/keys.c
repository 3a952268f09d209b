/* What each thread has for itself: values under keys, with what runs at its end, and functions that clean up. */

/* The key after those that a program can make is libc++'s, for what a thread does at its end. Nobody makes it. */
enum { MOST_KEYS = 16, LIBCXX_KEY = MOST_KEYS, ROUNDS = 4 };
__attribute__((weak)) void __fencepost_libcxx_thread_ends(void *of_thread);
/* Accesses order nothing: the program must see to it that a key exists where it is used. */
static int next_key;
static void (*destructors[MOST_KEYS])(void *);
/* 1 if the key was deleted. */
static int deleted[MOST_KEYS];
static __thread void *values[MOST_KEYS + 1];
static __thread int has_values;

int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
  if (FAILS) return EAGAIN_;
  int at = __atomic_fetch_add(&next_key, 1, RELAXED);
  if (at >= MOST_KEYS) __fencepost_refuse("more than 16 calls of `pthread_key_create`");
  if (destructor) __atomic_store_n(&destructors[at], destructor, RELAXED);
  *key = at;
  return 0;
}
int pthread_key_delete(unsigned key) {
  if (key >= MOST_KEYS) return EINVAL_;
  __atomic_store_n(&deleted[key], 1, RELAXED);
  return 0;
}
int pthread_setspecific(unsigned key, const void *value) {
  if (key > LIBCXX_KEY) return EINVAL_;
  values[key] = (void *)value;
  has_values = 1;
  return 0;
}
void *pthread_getspecific(unsigned key) { return key <= LIBCXX_KEY ? values[key] : NULL; }

/* At the end of a thread, each value that is not null is given to the destructor of its key, until none is left. */
static void run_destructors(void) {
  for (int round = 0; has_values && round < ROUNDS; round++) {
    has_values = 0;
    void *of_thread = values[LIBCXX_KEY];
    values[LIBCXX_KEY] = NULL;
    if (of_thread && __fencepost_libcxx_thread_ends) __fencepost_libcxx_thread_ends(of_thread);
    for (int key = 0; key < MOST_KEYS; key++) {
      void *value = values[key];
      if (!value) continue;
      values[key] = NULL;
      if (__atomic_load_n(&deleted[key], RELAXED)) continue;
      void (*destructor)(void *) = __atomic_load_n(&destructors[key], RELAXED);
      if (destructor) destructor(value);
    }
  }
}
/* Called at the end of each thread but for that of `main` by a return, if there are keys. */
void __fencepost_thread_ends(void) {
  __fencepost_end_thread_locals();
  run_destructors();
}

int tss_create(unsigned *key, void (*destructor)(void *)) { return pthread_key_create(key, destructor) ? THRD_ERROR : 0; }
void tss_delete(unsigned key) { pthread_key_delete(key); }
int tss_set(unsigned key, void *value) { return pthread_setspecific(key, value) ? THRD_ERROR : 0; }
void *tss_get(unsigned key) { return pthread_getspecific(key); }

/* Functions that clean up: our pthread.h pushes and pops them here. */
enum { MOST_CLEANUPS = 8 };
static __thread struct { void (*function)(void *); void *argument; } cleanups[MOST_CLEANUPS];
static __thread int cleanup_count;
/* The system's pthread.h has handlers that only a jump out of the middle of a function reaches. */
static __thread int registered;

void __fencepost_cleanup_push(void (*function)(void *), void *argument) {
  if (cleanup_count == MOST_CLEANUPS) __fencepost_refuse("more than 8 cleanup handlers at once");
  cleanups[cleanup_count].function = function;
  cleanups[cleanup_count].argument = argument;
  cleanup_count++;
}
void __fencepost_cleanup_pop(int execute) {
  cleanup_count--;
  if (execute) cleanups[cleanup_count].function(cleanups[cleanup_count].argument);
}
void __pthread_register_cancel(void *buffer) { registered++; }
void __pthread_unregister_cancel(void *buffer) { registered--; }
void __pthread_unwind_next(void *buffer) { __fencepost_refuse("a cleanup handler of the system's pthread.h"); }
/* `pthread_exit` in programs that have such functions. */
void __fencepost_exit_after_cleanup(void *result) {
  if (registered) __fencepost_refuse("`pthread_exit` where a cleanup handler of the system's pthread.h is pushed");
  while (cleanup_count > 0) __fencepost_cleanup_pop(1);
  __fencepost_exit_thread(result);
}
void pthread_exit(void *result) { __fencepost_leave_thread(result); }

/* No thread is cancelled, so it does not matter whether one could be. */
static __thread int cancel_state, cancel_type;
int pthread_setcancelstate(int state, int *old) {
  if (state != 0 && state != 1) return EINVAL_;
  if (old) *old = cancel_state;
  cancel_state = state;
  return 0;
}
int pthread_setcanceltype(int type, int *old) {
  if (type != 0 && type != 1) return EINVAL_;
  if (old) *old = cancel_type;
  cancel_type = type;
  return 0;
}
void pthread_testcancel(void) {}

/* A jump is refused where it is made, so the place to jump to is only noted. */
int _setjmp(void *buffer) { return 0; }
int setjmp(void *buffer) { return 0; }
int __sigsetjmp(void *buffer, int mask) { return 0; }
int sigsetjmp(void *buffer, int mask) { return 0; }
