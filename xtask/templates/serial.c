//! title: @TITLE@
//! source: ours; a generated driver (cargo xtask programs)

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "fencepost.h"

enum { SIZE = 8, DIVISOR = @DIVISOR@, LINES = @COUNT@ };

/* Set up by probe, before the port is announced. */
static int base, clock_rate, fifo_size;
static atomic_int announced;

/* The receive ring: the interrupt handler writes, the reader reads. */
static int ring[SIZE];
static atomic_int head, tail, overruns;

/* Modem lines: a value and how often it changed, seen together under the lock. */
static pthread_mutex_t lines = PTHREAD_MUTEX_INITIALIZER;
@PER_OPTION static int @option@_state, @option@_changes, @option@_enabled;
static atomic_int pending, stopped, throttled;

static int port_is_announced(void) { return atomic_load_explicit(&announced, memory_order_acquire); }

@PER_OPTION static void change_@option@(int state) {
@PER_OPTION   pthread_mutex_lock(&lines);
@PER_OPTION   @option@_state = state;
@PER_OPTION   @option@_changes = 1;
@PER_OPTION   assert(@option@_state == state);
@PER_OPTION   assert(@option@_changes == 1);
@PER_OPTION   pthread_mutex_unlock(&lines);
@PER_OPTION }
@PER_OPTION
@PER_OPTION static int read_@option@(void) {
@PER_OPTION   pthread_mutex_lock(&lines);
@PER_OPTION   int state = @option@_state;
@PER_OPTION   int again = @option@_state;
@PER_OPTION   assert(state == 0 || state == 1);
@PER_OPTION   assert(state == again);
@PER_OPTION   assert(@option@_enabled == @ENABLED@);
@PER_OPTION   pthread_mutex_unlock(&lines);
@PER_OPTION   return state;
@PER_OPTION }
@PER_OPTION
static void receive(int character) {
  int h = atomic_load_explicit(&head, memory_order_relaxed);
  int t = atomic_load_explicit(&tail, memory_order_acquire);
  int next = (h + 1) % SIZE;
  assert(h >= 0 && h < SIZE);
  if (next == t) {
    atomic_store_explicit(&overruns, 1, memory_order_relaxed);
    return;
  }
  ring[h] = character;
  atomic_store_explicit(&head, next, memory_order_release);
}

static void *interrupt(void *unused) {
  while (!atomic_load_explicit(&stopped, memory_order_acquire)) {
    if (!port_is_announced()) continue;
    assert(base == @BASE@);
    assert(fifo_size == 16);
    switch (fencepost_choose(0, LINES)) {
    case 0:
      receive(fencepost_choose(1, 127));
      break;
@PER_OPTION     case @SET@:
@PER_OPTION       change_@option@(fencepost_choose(0, 1));
@PER_OPTION       break;
    }
    atomic_store_explicit(&pending, 1, memory_order_relaxed);
  }
  return 0;
}

static void *terminal(void *unused) {
  if (!port_is_announced()) return 0;
  assert(clock_rate / DIVISOR == 115200);
  while (fencepost_choose(0, 1)) {
    int t = atomic_load_explicit(&tail, memory_order_relaxed);
    int h = atomic_load_explicit(&head, memory_order_acquire);
    assert(t >= 0 && t < SIZE);
    if (h != t) {
      int character = ring[t];
      assert(character <= 127);
      atomic_store_explicit(&tail, (t + 1) % SIZE, memory_order_release);
    }
    int lost = atomic_load_explicit(&overruns, memory_order_relaxed);
    assert(lost == 0 || lost == 1);
@PER_OPTION     if (read_@option@()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
  }
  return 0;
}

static void probe(void) {
  base = @BASE@;
  clock_rate = 115200 * DIVISOR;
  fifo_size = 16;
@PER_OPTION   @option@_enabled = @ENABLED@;
  atomic_store_explicit(&announced, 1, memory_order_@PUBLISH@);
}

int main(void) {
  pthread_t interrupt_thread, terminal_thread;
  pthread_create(&interrupt_thread, 0, interrupt, 0);
  pthread_create(&terminal_thread, 0, terminal, 0);
  probe();
  pthread_join(terminal_thread, 0);
  atomic_store_explicit(&stopped, 1, memory_order_release);
  pthread_join(interrupt_thread, 0);
  assert(base == @BASE@);
  int waiting = atomic_load_explicit(&pending, memory_order_relaxed);
  assert(waiting == 0 || waiting == 1);
  return 0;
}
