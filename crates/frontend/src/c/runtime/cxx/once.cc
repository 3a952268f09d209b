/* Calls that happen once. In C++ the function may throw; then the next thread that comes calls it again. */

enum { NOT_CALLED = 0, CALLING = 1, CALLED = 2 };

static void call_and_mark(int *once, void (*function)()) {
  struct Mark {
    int *once;
    int state = NOT_CALLED;
    ~Mark() { __atomic_store_n(once, state, RELEASE); }
  } mark{once};
  function();
  mark.state = CALLED;
}

extern "C" int pthread_once(int *once, void (*function)()) {
  for (;;) {
    if (__atomic_load_n(once, ACQUIRE) == CALLED) return 0;
    int expected = NOT_CALLED;
    if (__atomic_compare_exchange_n(once, &expected, CALLING, false, ACQUIRE, ACQUIRE)) {
      call_and_mark(once, function);
      return 0;
    }
    if (__fencepost_wait(once, CALLING, 4, 1, ACQUIRE) == CALLED) return 0;
  }
}

namespace std {
/* std::call_once passes what to call through these to pthread_once. */
__thread void *__once_callable;
__thread void (*__once_call)();
}
extern "C" void __once_proxy() { std::__once_call(); }
