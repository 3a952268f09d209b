//! title: fork with threads before and after, signals, and exit handlers
//! expect: nothing
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../threads.h"

static atomic_int count;
static atomic_int handled;

static void handler(int signal) {
  fetch_add(handled, signal == SIGUSR1, rlx);
}

static void *worker(void *unused) {
  for (int i = 0; i < 100; i++)
    fetch_add(count, 1, rlx);
  return unused;
}

static void at_exit(void) { puts("at exit"); }

int main(void) {
  atexit(at_exit);
  signal(SIGUSR1, handler);
  run2(worker, worker);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    run2(worker, worker);
    printf("child %d\n", load(count, rlx));
    fflush(stdout);
    _exit(5);
  }
  int status;
  assert(waitpid(child, &status, 0) == child);
  printf("child's status %d\n", WEXITSTATUS(status));
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  for (int i = 0; i < 10; i++) {
    raise(SIGUSR1);
    kill(getpid(), SIGUSR1);
  }
  pthread_join(thread, NULL);
  assert(wait(&status) == -1);
  printf("%d signals\n", load(handled, rlx));
  return 0;
}
