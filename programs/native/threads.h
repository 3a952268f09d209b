/* What the small programs here share: short names for orderings, and threads that are started and joined. */
#ifndef THREADS_H
#define THREADS_H

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define rlx memory_order_relaxed
#define acq memory_order_acquire
#define rel memory_order_release
#define acq_rel memory_order_acq_rel
#define sc memory_order_seq_cst

#define load(x, o) atomic_load_explicit(&(x), o)
#define store(x, v, o) atomic_store_explicit(&(x), v, o)
#define fetch_add(x, v, o) atomic_fetch_add_explicit(&(x), v, o)
#define fetch_sub(x, v, o) atomic_fetch_sub_explicit(&(x), v, o)
#define exchange(x, v, o) atomic_exchange_explicit(&(x), v, o)
#define fence(o) atomic_thread_fence(o)

/* How many threads there are, unless the first argument says so. */
#ifndef THREADS
#define THREADS 2
#endif

typedef void *body(void *);

/* Starts a thread for each body, with its number as the argument, and waits for them. */
static void run(int count, body **bodies) {
  pthread_t threads[64];
  for (long i = 0; i < count; i++)
    pthread_create(&threads[i], NULL, bodies[i], (void *)i);
  for (int i = 0; i < count; i++)
    pthread_join(threads[i], NULL);
}

static void run2(body *a, body *b) { run(2, (body *[]){a, b}); }
static void run3(body *a, body *b, body *c) { run(3, (body *[]){a, b, c}); }

#endif
