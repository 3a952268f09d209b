//! title: threads that are cancelled where they wait: in a read, at a condition, at a semaphore
//! expect: nothing
#include <semaphore.h>
#include <unistd.h>

#include "../threads.h"

static int ends[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static atomic_int may_wait;
static int cleaned;

static void clean(void *unlock) {
  if (!unlock)
    pthread_mutex_lock(&mutex);
  cleaned++;
  pthread_mutex_unlock(&mutex);
}

static void *reads(void *unused) {
  char byte;
  pthread_cleanup_push(clean, NULL);
  read(ends[0], &byte, 1);
  pthread_cleanup_pop(0);
  return unused;
}

static void *waits(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(clean, &mutex);
  for (;;)
    pthread_cond_wait(&condition, &mutex);
  pthread_cleanup_pop(0);
  return unused;
}

static void *waits_for_semaphore(void *unused) {
  pthread_cleanup_push(clean, NULL);
  sem_wait(&semaphore);
  pthread_cleanup_pop(0);
  return unused;
}

/* Cancelled before it waits, because it may not be cancelled until then. */
static void *waits_later(void *unused) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  while (!load(may_wait, acq))
    sched_yield();
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
  return waits(unused);
}

int main(void) {
  pipe(ends);
  sem_init(&semaphore, 0, 0);
  body *bodies[4] = {reads, waits, waits_for_semaphore, waits_later};
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, bodies[i], NULL);
  usleep(20000);
  int cancelled = 0;
  for (int i = 0; i < 4; i++)
    pthread_cancel(threads[i]);
  store(may_wait, 1, rel);
  for (int i = 0; i < 4; i++) {
    void *result;
    pthread_join(threads[i], &result);
    cancelled += result == PTHREAD_CANCELED;
  }
  printf("%d %d\n", cancelled, cleaned);
  return 0;
}
