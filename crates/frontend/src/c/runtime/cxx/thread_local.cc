/* Destructors of thread_local variables, which run at the end of their thread, the last one first. */

namespace {
struct AtEnd {
  AtEnd *before;
  void (*function)(void *);
  void *object;
};
__thread AtEnd *at_end;
}

/* Called at the end of a thread, and when the program ends for the thread that ends it. */
extern "C" void __fencepost_run_thread_locals() noexcept {
  while (AtEnd *first = at_end) {
    at_end = first->before;
    void (*function)(void *) = first->function;
    void *object = first->object;
    __fencepost_free(first);
    function(object);
  }
}
extern "C" int __cxa_thread_atexit(void (*function)(void *), void *object, void *) noexcept {
  auto made = static_cast<AtEnd *>(__fencepost_alloc(sizeof(AtEnd)));
  made->before = at_end;
  made->function = function;
  made->object = object;
  at_end = made;
  return 0;
}
