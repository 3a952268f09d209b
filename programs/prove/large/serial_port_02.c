//! title: A serial port: an interrupt handler fills a ring and follows the modem lines under a lock (8 options)
//! source: ours; a generated driver (cargo xtask programs)

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "fencepost.h"

enum { SIZE = 8, DIVISOR = 16, LINES = 8 };

/* Set up by probe, before the port is announced. */
static int base, clock_rate, fifo_size;
static atomic_int announced;

/* The receive ring: the interrupt handler writes, the reader reads. */
static int ring[SIZE];
static atomic_int head, tail, overruns;

/* Modem lines: a value and how often it changed, seen together under the lock. */
static pthread_mutex_t lines = PTHREAD_MUTEX_INITIALIZER;
static int mode_state, mode_changes, mode_enabled;
static int level_state, level_changes, level_enabled;
static int delay_state, delay_changes, delay_enabled;
static int window_state, window_changes, window_enabled;
static int filter_state, filter_changes, filter_enabled;
static int gain_state, gain_changes, gain_enabled;
static int queue_state, queue_changes, queue_enabled;
static int slot_state, slot_changes, slot_enabled;
static atomic_int pending, stopped, throttled;

static int port_is_announced(void) { return atomic_load_explicit(&announced, memory_order_acquire); }

static void change_mode(int state) {
  pthread_mutex_lock(&lines);
  mode_state = state;
  mode_changes = 1;
  assert(mode_state == state);
  assert(mode_changes == 1);
  pthread_mutex_unlock(&lines);
}

static int read_mode(void) {
  pthread_mutex_lock(&lines);
  int state = mode_state;
  int again = mode_state;
  assert(state == 0 || state == 1);
  assert(state == again);
  assert(mode_enabled == 1);
  pthread_mutex_unlock(&lines);
  return state;
}

static void change_level(int state) {
  pthread_mutex_lock(&lines);
  level_state = state;
  level_changes = 1;
  assert(level_state == state);
  assert(level_changes == 1);
  pthread_mutex_unlock(&lines);
}

static int read_level(void) {
  pthread_mutex_lock(&lines);
  int state = level_state;
  int again = level_state;
  assert(state == 0 || state == 1);
  assert(state == again);
  assert(level_enabled == 2);
  pthread_mutex_unlock(&lines);
  return state;
}

static void change_delay(int state) {
  pthread_mutex_lock(&lines);
  delay_state = state;
  delay_changes = 1;
  assert(delay_state == state);
  assert(delay_changes == 1);
  pthread_mutex_unlock(&lines);
}

static int read_delay(void) {
  pthread_mutex_lock(&lines);
  int state = delay_state;
  int again = delay_state;
  assert(state == 0 || state == 1);
  assert(state == again);
  assert(delay_enabled == 1);
  pthread_mutex_unlock(&lines);
  return state;
}

static void change_window(int state) {
  pthread_mutex_lock(&lines);
  window_state = state;
  window_changes = 1;
  assert(window_state == state);
  assert(window_changes == 1);
  pthread_mutex_unlock(&lines);
}

static int read_window(void) {
  pthread_mutex_lock(&lines);
  int state = window_state;
  int again = window_state;
  assert(state == 0 || state == 1);
  assert(state == again);
  assert(window_enabled == 2);
  pthread_mutex_unlock(&lines);
  return state;
}

static void change_filter(int state) {
  pthread_mutex_lock(&lines);
  filter_state = state;
  filter_changes = 1;
  assert(filter_state == state);
  assert(filter_changes == 1);
  pthread_mutex_unlock(&lines);
}

static int read_filter(void) {
  pthread_mutex_lock(&lines);
  int state = filter_state;
  int again = filter_state;
  assert(state == 0 || state == 1);
  assert(state == again);
  assert(filter_enabled == 1);
  pthread_mutex_unlock(&lines);
  return state;
}

static void change_gain(int state) {
  pthread_mutex_lock(&lines);
  gain_state = state;
  gain_changes = 1;
  assert(gain_state == state);
  assert(gain_changes == 1);
  pthread_mutex_unlock(&lines);
}

static int read_gain(void) {
  pthread_mutex_lock(&lines);
  int state = gain_state;
  int again = gain_state;
  assert(state == 0 || state == 1);
  assert(state == again);
  assert(gain_enabled == 2);
  pthread_mutex_unlock(&lines);
  return state;
}

static void change_queue(int state) {
  pthread_mutex_lock(&lines);
  queue_state = state;
  queue_changes = 1;
  assert(queue_state == state);
  assert(queue_changes == 1);
  pthread_mutex_unlock(&lines);
}

static int read_queue(void) {
  pthread_mutex_lock(&lines);
  int state = queue_state;
  int again = queue_state;
  assert(state == 0 || state == 1);
  assert(state == again);
  assert(queue_enabled == 1);
  pthread_mutex_unlock(&lines);
  return state;
}

static void change_slot(int state) {
  pthread_mutex_lock(&lines);
  slot_state = state;
  slot_changes = 1;
  assert(slot_state == state);
  assert(slot_changes == 1);
  pthread_mutex_unlock(&lines);
}

static int read_slot(void) {
  pthread_mutex_lock(&lines);
  int state = slot_state;
  int again = slot_state;
  assert(state == 0 || state == 1);
  assert(state == again);
  assert(slot_enabled == 2);
  pthread_mutex_unlock(&lines);
  return state;
}

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
    assert(base == 0x3f8);
    assert(fifo_size == 16);
    switch (fencepost_choose(0, LINES)) {
    case 0:
      receive(fencepost_choose(1, 127));
      break;
    case 1:
      change_mode(fencepost_choose(0, 1));
      break;
    case 2:
      change_level(fencepost_choose(0, 1));
      break;
    case 3:
      change_delay(fencepost_choose(0, 1));
      break;
    case 4:
      change_window(fencepost_choose(0, 1));
      break;
    case 5:
      change_filter(fencepost_choose(0, 1));
      break;
    case 6:
      change_gain(fencepost_choose(0, 1));
      break;
    case 7:
      change_queue(fencepost_choose(0, 1));
      break;
    case 8:
      change_slot(fencepost_choose(0, 1));
      break;
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
    if (read_mode()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
    if (read_level()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
    if (read_delay()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
    if (read_window()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
    if (read_filter()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
    if (read_gain()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
    if (read_queue()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
    if (read_slot()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
  }
  return 0;
}

static void probe(void) {
  base = 0x3f8;
  clock_rate = 115200 * DIVISOR;
  fifo_size = 16;
  mode_enabled = 1;
  level_enabled = 2;
  delay_enabled = 1;
  window_enabled = 2;
  filter_enabled = 1;
  gain_enabled = 2;
  queue_enabled = 1;
  slot_enabled = 2;
  atomic_store_explicit(&announced, 1, memory_order_release);
}

int main(void) {
  pthread_t interrupt_thread, terminal_thread;
  pthread_create(&interrupt_thread, 0, interrupt, 0);
  pthread_create(&terminal_thread, 0, terminal, 0);
  probe();
  pthread_join(terminal_thread, 0);
  atomic_store_explicit(&stopped, 1, memory_order_release);
  pthread_join(interrupt_thread, 0);
  assert(base == 0x3f8);
  int waiting = atomic_load_explicit(&pending, memory_order_relaxed);
  assert(waiting == 0 || waiting == 1);
  return 0;
}
