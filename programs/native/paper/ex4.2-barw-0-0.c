//! title: both waits can end only if both are stale
//! source: paper 000, example 4.2
//! expect: stale-read
#include <fencepost.h>
#include <unistd.h>
#include "../threads.h"

atomic_int x, y;

static void *first(void *unused) {
  store(x, 1, rel);
  fencepost_wait(&y, 0, acq);
  return unused;
}

static void *second(void *unused) {
  store(y, 1, rel);
  fencepost_wait(&x, 0, acq);
  return unused;
}

/* Some of the waits never end, so nobody joins. */
int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  usleep(20000);
  _exit(0);
}
