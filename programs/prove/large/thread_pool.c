//! title: A pool of workers with a queue under a lock, results that are waited for, and a shutdown
//! source: ours

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "fencepost.h"

enum { WORKERS = 3, JOBS = 4, NONE = 0, SQUARE = 1, NEGATE = 2 };

struct job {
  int kind, input, output;
  atomic_int done;
};

static struct job jobs[JOBS];

/* The queue: the next job to take, under the lock. */
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static int next_job, holder;

/* Set before the workers may look at the queue. */
static int configured_workers, configured_jobs;
static atomic_int open_for_work, shutting_down;
static atomic_int busy[WORKERS], finished[WORKERS];

static int take_job(int worker) {
  pthread_mutex_lock(&queue_lock);
  holder = worker + 1;
  int taken = next_job;
  if (taken < JOBS) next_job = taken + 1;
  assert(holder == worker + 1);
  assert(taken >= 0);
  assert(taken <= JOBS);
  pthread_mutex_unlock(&queue_lock);
  return taken;
}

static void run_job(struct job *job) {
  int input = job->input;
  assert(input >= 1);
  assert(input <= 10);
  if (job->kind == SQUARE) {
    job->output = input * input;
  } else {
    assert(job->kind == NEGATE);
    job->output = input + 100;
  }
  atomic_store_explicit(&job->done, 1, memory_order_release);
}

static void work(int worker) {
  while (!atomic_load_explicit(&open_for_work, memory_order_acquire)) {
    if (atomic_load_explicit(&shutting_down, memory_order_acquire)) return;
  }
  assert(configured_workers == WORKERS);
  assert(configured_jobs == JOBS);
  while (!atomic_load_explicit(&shutting_down, memory_order_acquire)) {
    int taken = take_job(worker);
    if (taken >= JOBS) break;
    atomic_store_explicit(&busy[worker], 1, memory_order_relaxed);
    switch (taken) {
    case 0: run_job(&jobs[0]); break;
    case 1: run_job(&jobs[1]); break;
    case 2: run_job(&jobs[2]); break;
    case 3: run_job(&jobs[3]); break;
    }
    atomic_store_explicit(&busy[worker], 0, memory_order_relaxed);
  }
  int still = atomic_load_explicit(&busy[worker], memory_order_relaxed);
  assert(still == 0);
  atomic_store_explicit(&finished[worker], 1, memory_order_release);
}

static void *worker_0(void *unused) {
  work(0);
  return 0;
}

static void *worker_1(void *unused) {
  work(1);
  return 0;
}

static void *worker_2(void *unused) {
  work(2);
  return 0;
}

static void submit(int number, int kind, int input) {
  jobs[number].kind = kind;
  jobs[number].input = input;
}

static int result_of(struct job *job) {
  while (!atomic_load_explicit(&job->done, memory_order_acquire)) {
  }
  int output = job->output;
  assert(output != 0);
  assert(output <= 110);
  return output;
}

int main(void) {
  pthread_t workers[WORKERS];
  pthread_create(&workers[0], 0, worker_0, 0);
  pthread_create(&workers[1], 0, worker_1, 0);
  pthread_create(&workers[2], 0, worker_2, 0);
  configured_workers = WORKERS;
  configured_jobs = JOBS;
  submit(0, SQUARE, 3);
  submit(1, NEGATE, fencepost_choose(1, 10));
  submit(2, SQUARE, fencepost_choose(1, 10));
  submit(3, NEGATE, 7);
  atomic_store_explicit(&open_for_work, 1, memory_order_release);
  int first = result_of(&jobs[0]);
  assert(first == 9);
  int last = result_of(&jobs[3]);
  assert(last == 107);
  atomic_store_explicit(&shutting_down, 1, memory_order_release);
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], 0);
  assert(next_job <= JOBS);
  assert(jobs[0].output == 9);
  assert(atomic_load_explicit(&busy[0], memory_order_relaxed) == 0);
  return 0;
}
