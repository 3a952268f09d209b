//! title: signal handlers that interrupt threads anywhere, the runtime included
//! expect: nothing
#include <signal.h>
#include <string.h>

#include "../threads.h"

static atomic_int handled, stop;
static __thread volatile sig_atomic_t last;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;
static __thread char scratch[64];

static void handler(int number) {
  fetch_add(handled, 1, rlx);
  last = number;
  memset(scratch, number, sizeof scratch);
}

static void *child(void *unused) { return unused; }

static void *worker(void *unused) {
  for (int i = 0; i < 300; i++) {
    pthread_mutex_lock(&mutex);
    shared++;
    pthread_mutex_unlock(&mutex);
    char *block = malloc(100 + i);
    memset(block, i, 100 + i);
    free(block);
    fetch_add(stop, 0, acq_rel);
    if (i % 30 == 0) {
      pthread_t thread;
      pthread_create(&thread, NULL, child, NULL);
      pthread_join(thread, NULL);
    }
  }
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGUSR2, &action, NULL);
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 900; i++)
    pthread_kill(threads[i % 3], i % 2 ? SIGUSR1 : SIGUSR2);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  printf("%d %d\n", shared, load(handled, rlx) > 0);
  return 0;
}
