//! title: forks while other threads are in the middle of everything, and children with threads of their own
//! expect: nothing
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../threads.h"

static atomic_int stop, count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *nothing(void *unused) { return unused; }

static void work(void) {
  pthread_mutex_lock(&mutex);
  shared++;
  pthread_mutex_unlock(&mutex);
  free(memset(malloc(500), 1, 500));
  fetch_add(count, 1, acq_rel);
  pthread_t thread;
  pthread_create(&thread, NULL, nothing, NULL);
  pthread_join(thread, NULL);
}

static void *worker(void *unused) {
  while (!load(stop, acq))
    work();
  return unused;
}

static void before(void) { pthread_mutex_lock(&mutex); }
static void after(void) { pthread_mutex_unlock(&mutex); }

int main(void) {
  pthread_atfork(before, after, after);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, worker, NULL);
  int fine = 0;
  for (int i = 0; i < 20; i++) {
    pid_t child = fork();
    if (child == 0) {
      for (int j = 0; j < 5; j++)
        work();
      _exit(7);
    }
    int status;
    fine += waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7;
  }
  store(stop, 1, rel);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  printf("%d\n", fine);
  return 0;
}
