//! title: 3,000 threads, one after the other and eight at a time, joined and detached
//! expect: nothing
#include "../threads.h"

static atomic_int ended;
static int shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
  pthread_mutex_lock(&mutex);
  shared++;
  pthread_mutex_unlock(&mutex);
  fetch_add(ended, 1, rel);
  return unused;
}

int main(void) {
  for (int i = 0; i < 1000; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
  }
  for (int i = 0; i < 125; i++) {
    body *bodies[8] = {worker, worker, worker, worker, worker, worker, worker, worker};
    run(8, bodies);
  }
  for (int i = 0; i < 1000; i++) {
    pthread_t thread;
    int before = load(ended, acq);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_detach(thread);
    while (load(ended, acq) == before)
      sched_yield();
  }
  printf("%d\n", shared);
  return 0;
}
