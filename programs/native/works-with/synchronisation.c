//! title: every kind of synchronisation that POSIX has
//! expect: nothing
#include <semaphore.h>
#include <threads.h>
#include <time.h>

#include "../threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t semaphore;
static mtx_t c11_mutex;
static cnd_t c11_condition;
static once_flag c11_once = ONCE_FLAG_INIT;

static int by_mutex, by_rwlock, by_spin, by_once, by_semaphore, by_barrier[4], by_c11, ready;

static void initialise(void) { by_once++; }

static void *worker(void *number) {
  long self = (long)number;
  pthread_once(&once, initialise);
  call_once(&c11_once, initialise);
  by_barrier[self] = by_once;
  for (int round = 0; round < 3; round++) {
    pthread_barrier_wait(&barrier);
    int next = by_barrier[(self + 1) % 4];
    pthread_barrier_wait(&barrier);
    by_barrier[self] = next + 1;
  }
  for (int i = 0; i < 20; i++) {
    pthread_mutex_lock(&mutex);
    by_mutex++;
    pthread_mutex_unlock(&mutex);
    if (i % 4 == self) {
      pthread_rwlock_wrlock(&rwlock);
      by_rwlock++;
      pthread_rwlock_unlock(&rwlock);
    } else {
      pthread_rwlock_rdlock(&rwlock);
      assert(by_rwlock >= 0);
      pthread_rwlock_unlock(&rwlock);
    }
    pthread_spin_lock(&spin);
    by_spin++;
    pthread_spin_unlock(&spin);
    sem_wait(&semaphore);
    by_semaphore++;
    sem_post(&semaphore);
    mtx_lock(&c11_mutex);
    by_c11++;
    mtx_unlock(&c11_mutex);
  }
  pthread_mutex_lock(&mutex);
  if (++ready == 4)
    pthread_cond_broadcast(&condition);
  while (ready < 4)
    pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  if (self == 0) {
    mtx_lock(&c11_mutex);
    by_c11 += 1000;
    cnd_signal(&c11_condition);
    mtx_unlock(&c11_mutex);
  } else if (self == 1) {
    mtx_lock(&c11_mutex);
    while (by_c11 < 1000)
      cnd_wait(&c11_condition, &c11_mutex);
    mtx_unlock(&c11_mutex);
  }
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_nsec += 1000000;
  pthread_mutex_lock(&mutex);
  int status = pthread_cond_timedwait(&condition, &mutex, &soon);
  assert(status != 0 || status == 0);
  pthread_mutex_unlock(&mutex);
  return number;
}

int main(void) {
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_barrier_init(&barrier, NULL, 4);
  sem_init(&semaphore, 0, 1);
  mtx_init(&c11_mutex, mtx_plain);
  cnd_init(&c11_condition);
  body *bodies[4] = {worker, worker, worker, worker};
  run(4, bodies);
  printf("%d %d %d %d %d %d\n", by_mutex, by_rwlock, by_spin, by_once, by_semaphore, by_c11);
  pthread_barrier_destroy(&barrier);
  sem_destroy(&semaphore);
  return 3;
}
