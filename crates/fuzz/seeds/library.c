#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
static sem_t s;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t b;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int ready;
static void begin(void) { ready = 0; }
static int sum(int n, ...) {
  __builtin_va_list l;
  int r = 0;
  __builtin_va_start(l, n);
  while (n--) r += __builtin_va_arg(l, int);
  __builtin_va_end(l);
  return r;
}
static void *wait_for(void *p) {
  pthread_once(&once, begin);
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  sem_post(&s);
  return p;
}
int main(int argc, char **argv) {
  pthread_t t;
  int vla[argc + 2];
  int (*call)(int, ...) = sum;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, wait_for, vla);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  sem_wait(&s);
  pthread_join(t, 0);
  vla[0] = sum(3, 1, 2, 3);
  printf("%d %s\n", vla[0], "text");
  return call == 0;
}
