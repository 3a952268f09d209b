//! title: Peterson's algorithm: two processes enter again and again
//! source: ours; mutual exclusion with a loop that waits for either of two conditions

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "fencepost.h"

enum { ROUNDS = 1000, LIMIT = 64 };

/* Who wants to enter, and whose turn it is if both do. */
static atomic_int wants[2];
static atomic_int turn;

/* Guarded by the algorithm. */
static int occupant, entries, last_value;

/* Set up by main before the processes may begin. */
static int first_turn, capacity, identity[2];
static atomic_int started;

/* For whoever looks from outside. */
static atomic_int rounds_done[2], contended[2];

static void wait_for_start(void) {
  while (!atomic_load_explicit(&started, memory_order_acquire)) {
  }
  assert(capacity == LIMIT);
  assert(first_turn == 0 || first_turn == 1);
}

static void set_flag(int self, int value) {
  assert(value == 0 || value == 1);
  atomic_store_explicit(&wants[self], value, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
}

static int other_wants(int self) {
  int wanted = atomic_load_explicit(&wants[1 - self], memory_order_acquire);
  assert(wanted >= 0);
  assert(wanted <= 1);
  return wanted;
}

static int whose_turn(void) {
  int now = atomic_load_explicit(&turn, memory_order_acquire);
  assert(now == 0 || now == 1);
  return now;
}

static void enter(int self) {
  atomic_store_explicit(&wants[self], 1, memory_order_relaxed);
  atomic_store_explicit(&turn, 1 - self, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  while (other_wants(self)) {
    if (whose_turn() == self) break;
    atomic_store_explicit(&contended[self], 1, memory_order_relaxed);
  }
}

static void leave(int self) {
  set_flag(self, 0);
}

static void critical_section(int self, int round) {
  occupant = self + 1;
  last_value = round;
  if (entries < LIMIT) entries = entries + 1;
  assert(occupant == self + 1);
  assert(last_value == round);
  occupant = 0;
}

static void *process_0(void *unused) {
  wait_for_start();
  assert(identity[0] == 100);
  for (int round = 0; round < ROUNDS; round++) {
    enter(0);
    critical_section(0, round);
    leave(0);
    atomic_store_explicit(&rounds_done[0], 1, memory_order_release);
    assert(round >= 0 && round < ROUNDS);
  }
  return 0;
}

static void *process_1(void *unused) {
  wait_for_start();
  assert(identity[1] == 101);
  for (int round = 0; round < ROUNDS; round++) {
    enter(1);
    critical_section(1, round);
    leave(1);
    atomic_store_explicit(&rounds_done[1], 1, memory_order_release);
    assert(round >= 0 && round < ROUNDS);
  }
  return 0;
}

static void *observer(void *unused) {
  wait_for_start();
  while (fencepost_choose(0, 1)) {
    int left = atomic_load_explicit(&rounds_done[0], memory_order_acquire);
    assert(left == 0 || left == 1);
    int right = atomic_load_explicit(&contended[1], memory_order_relaxed);
    assert(right == 0 || right == 1);
    assert(identity[0] + 1 == identity[1]);
  }
  return 0;
}

int main(void) {
  pthread_t left, right, watcher;
  pthread_create(&left, 0, process_0, 0);
  pthread_create(&right, 0, process_1, 0);
  pthread_create(&watcher, 0, observer, 0);
  first_turn = fencepost_choose(0, 1);
  capacity = LIMIT;
  identity[0] = 100;
  identity[1] = 101;
  atomic_store_explicit(&turn, first_turn, memory_order_relaxed);
  atomic_store_explicit(&started, 1, memory_order_release);
  pthread_join(left, 0);
  pthread_join(right, 0);
  pthread_join(watcher, 0);
  assert(atomic_load_explicit(&rounds_done[0], memory_order_relaxed) == 1);
  assert(atomic_load_explicit(&wants[0], memory_order_relaxed) == 0);
  assert(entries <= LIMIT);
  return 0;
}
