//! title: longjmp out of deep calls, pthread_exit, cancellation, and cleanup handlers
//! expect: nothing
#include <setjmp.h>
#include <unistd.h>

#include "../threads.h"

static jmp_buf place;
static atomic_int cleaned;

static int deep(int depth) {
  if (depth == 0)
    longjmp(place, 1);
  return deep(depth - 1) + 1;
}

static void cleanup(void *unused) {
  (void)unused;
  fetch_add(cleaned, 1, rel);
}

static void *leaves(void *unused) {
  pthread_cleanup_push(cleanup, NULL);
  pthread_exit((void *)42);
  pthread_cleanup_pop(0);
  return unused;
}

static void *is_cancelled(void *unused) {
  pthread_cleanup_push(cleanup, NULL);
  for (;;)
    pause();
  pthread_cleanup_pop(0);
  return unused;
}

int main(void) {
  for (int i = 0; i < 1000; i++)
    if (setjmp(place) == 0)
      deep(i % 50);
  pthread_t thread;
  void *result;
  pthread_create(&thread, NULL, leaves, NULL);
  pthread_join(thread, &result);
  pthread_t victim;
  pthread_create(&victim, NULL, is_cancelled, NULL);
  pthread_cancel(victim);
  pthread_join(victim, NULL);
  printf("%ld %d\n", (long)result, load(cleaned, acq));
  return 0;
}
