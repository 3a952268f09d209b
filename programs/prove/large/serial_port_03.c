//! title: A serial port: an interrupt handler fills a ring and follows the modem lines under a lock (20 options)
//! source: ours; a generated driver (cargo xtask programs)

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "fencepost.h"

enum { SIZE = 8, DIVISOR = 16, LINES = 20 };

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
static int mode_2_state, mode_2_changes, mode_2_enabled;
static int level_2_state, level_2_changes, level_2_enabled;
static int delay_2_state, delay_2_changes, delay_2_enabled;
static int window_2_state, window_2_changes, window_2_enabled;
static int filter_2_state, filter_2_changes, filter_2_enabled;
static int gain_2_state, gain_2_changes, gain_2_enabled;
static int queue_2_state, queue_2_changes, queue_2_enabled;
static int slot_2_state, slot_2_changes, slot_2_enabled;
static int mode_3_state, mode_3_changes, mode_3_enabled;
static int level_3_state, level_3_changes, level_3_enabled;
static int delay_3_state, delay_3_changes, delay_3_enabled;
static int window_3_state, window_3_changes, window_3_enabled;
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

static void change_mode_2(int state) {
  pthread_mutex_lock(&lines);
  mode_2_state = state;
  mode_2_changes = 1;
  assert(mode_2_state == state);
  assert(mode_2_changes == 1);
  pthread_mutex_unlock(&lines);
}

static int read_mode_2(void) {
  pthread_mutex_lock(&lines);
  int state = mode_2_state;
  int again = mode_2_state;
  assert(state == 0 || state == 1);
  assert(state == again);
  assert(mode_2_enabled == 1);
  pthread_mutex_unlock(&lines);
  return state;
}

static void change_level_2(int state) {
  pthread_mutex_lock(&lines);
  level_2_state = state;
  level_2_changes = 1;
  assert(level_2_state == state);
  assert(level_2_changes == 1);
  pthread_mutex_unlock(&lines);
}

static int read_level_2(void) {
  pthread_mutex_lock(&lines);
  int state = level_2_state;
  int again = level_2_state;
  assert(state == 0 || state == 1);
  assert(state == again);
  assert(level_2_enabled == 2);
  pthread_mutex_unlock(&lines);
  return state;
}

static void change_delay_2(int state) {
  pthread_mutex_lock(&lines);
  delay_2_state = state;
  delay_2_changes = 1;
  assert(delay_2_state == state);
  assert(delay_2_changes == 1);
  pthread_mutex_unlock(&lines);
}

static int read_delay_2(void) {
  pthread_mutex_lock(&lines);
  int state = delay_2_state;
  int again = delay_2_state;
  assert(state == 0 || state == 1);
  assert(state == again);
  assert(delay_2_enabled == 1);
  pthread_mutex_unlock(&lines);
  return state;
}

static void change_window_2(int state) {
  pthread_mutex_lock(&lines);
  window_2_state = state;
  window_2_changes = 1;
  assert(window_2_state == state);
  assert(window_2_changes == 1);
  pthread_mutex_unlock(&lines);
}

static int read_window_2(void) {
  pthread_mutex_lock(&lines);
  int state = window_2_state;
  int again = window_2_state;
  assert(state == 0 || state == 1);
  assert(state == again);
  assert(window_2_enabled == 2);
  pthread_mutex_unlock(&lines);
  return state;
}

static void change_filter_2(int state) {
  pthread_mutex_lock(&lines);
  filter_2_state = state;
  filter_2_changes = 1;
  assert(filter_2_state == state);
  assert(filter_2_changes == 1);
  pthread_mutex_unlock(&lines);
}

static int read_filter_2(void) {
  pthread_mutex_lock(&lines);
  int state = filter_2_state;
  int again = filter_2_state;
  assert(state == 0 || state == 1);
  assert(state == again);
  assert(filter_2_enabled == 1);
  pthread_mutex_unlock(&lines);
  return state;
}

static void change_gain_2(int state) {
  pthread_mutex_lock(&lines);
  gain_2_state = state;
  gain_2_changes = 1;
  assert(gain_2_state == state);
  assert(gain_2_changes == 1);
  pthread_mutex_unlock(&lines);
}

static int read_gain_2(void) {
  pthread_mutex_lock(&lines);
  int state = gain_2_state;
  int again = gain_2_state;
  assert(state == 0 || state == 1);
  assert(state == again);
  assert(gain_2_enabled == 2);
  pthread_mutex_unlock(&lines);
  return state;
}

static void change_queue_2(int state) {
  pthread_mutex_lock(&lines);
  queue_2_state = state;
  queue_2_changes = 1;
  assert(queue_2_state == state);
  assert(queue_2_changes == 1);
  pthread_mutex_unlock(&lines);
}

static int read_queue_2(void) {
  pthread_mutex_lock(&lines);
  int state = queue_2_state;
  int again = queue_2_state;
  assert(state == 0 || state == 1);
  assert(state == again);
  assert(queue_2_enabled == 1);
  pthread_mutex_unlock(&lines);
  return state;
}

static void change_slot_2(int state) {
  pthread_mutex_lock(&lines);
  slot_2_state = state;
  slot_2_changes = 1;
  assert(slot_2_state == state);
  assert(slot_2_changes == 1);
  pthread_mutex_unlock(&lines);
}

static int read_slot_2(void) {
  pthread_mutex_lock(&lines);
  int state = slot_2_state;
  int again = slot_2_state;
  assert(state == 0 || state == 1);
  assert(state == again);
  assert(slot_2_enabled == 2);
  pthread_mutex_unlock(&lines);
  return state;
}

static void change_mode_3(int state) {
  pthread_mutex_lock(&lines);
  mode_3_state = state;
  mode_3_changes = 1;
  assert(mode_3_state == state);
  assert(mode_3_changes == 1);
  pthread_mutex_unlock(&lines);
}

static int read_mode_3(void) {
  pthread_mutex_lock(&lines);
  int state = mode_3_state;
  int again = mode_3_state;
  assert(state == 0 || state == 1);
  assert(state == again);
  assert(mode_3_enabled == 1);
  pthread_mutex_unlock(&lines);
  return state;
}

static void change_level_3(int state) {
  pthread_mutex_lock(&lines);
  level_3_state = state;
  level_3_changes = 1;
  assert(level_3_state == state);
  assert(level_3_changes == 1);
  pthread_mutex_unlock(&lines);
}

static int read_level_3(void) {
  pthread_mutex_lock(&lines);
  int state = level_3_state;
  int again = level_3_state;
  assert(state == 0 || state == 1);
  assert(state == again);
  assert(level_3_enabled == 2);
  pthread_mutex_unlock(&lines);
  return state;
}

static void change_delay_3(int state) {
  pthread_mutex_lock(&lines);
  delay_3_state = state;
  delay_3_changes = 1;
  assert(delay_3_state == state);
  assert(delay_3_changes == 1);
  pthread_mutex_unlock(&lines);
}

static int read_delay_3(void) {
  pthread_mutex_lock(&lines);
  int state = delay_3_state;
  int again = delay_3_state;
  assert(state == 0 || state == 1);
  assert(state == again);
  assert(delay_3_enabled == 1);
  pthread_mutex_unlock(&lines);
  return state;
}

static void change_window_3(int state) {
  pthread_mutex_lock(&lines);
  window_3_state = state;
  window_3_changes = 1;
  assert(window_3_state == state);
  assert(window_3_changes == 1);
  pthread_mutex_unlock(&lines);
}

static int read_window_3(void) {
  pthread_mutex_lock(&lines);
  int state = window_3_state;
  int again = window_3_state;
  assert(state == 0 || state == 1);
  assert(state == again);
  assert(window_3_enabled == 2);
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
    case 9:
      change_mode_2(fencepost_choose(0, 1));
      break;
    case 10:
      change_level_2(fencepost_choose(0, 1));
      break;
    case 11:
      change_delay_2(fencepost_choose(0, 1));
      break;
    case 12:
      change_window_2(fencepost_choose(0, 1));
      break;
    case 13:
      change_filter_2(fencepost_choose(0, 1));
      break;
    case 14:
      change_gain_2(fencepost_choose(0, 1));
      break;
    case 15:
      change_queue_2(fencepost_choose(0, 1));
      break;
    case 16:
      change_slot_2(fencepost_choose(0, 1));
      break;
    case 17:
      change_mode_3(fencepost_choose(0, 1));
      break;
    case 18:
      change_level_3(fencepost_choose(0, 1));
      break;
    case 19:
      change_delay_3(fencepost_choose(0, 1));
      break;
    case 20:
      change_window_3(fencepost_choose(0, 1));
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
    if (read_mode_2()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
    if (read_level_2()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
    if (read_delay_2()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
    if (read_window_2()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
    if (read_filter_2()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
    if (read_gain_2()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
    if (read_queue_2()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
    if (read_slot_2()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
    if (read_mode_3()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
    if (read_level_3()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
    if (read_delay_3()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
    if (read_window_3()) atomic_store_explicit(&throttled, 1, memory_order_relaxed);
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
  mode_2_enabled = 1;
  level_2_enabled = 2;
  delay_2_enabled = 1;
  window_2_enabled = 2;
  filter_2_enabled = 1;
  gain_2_enabled = 2;
  queue_2_enabled = 1;
  slot_2_enabled = 2;
  mode_3_enabled = 1;
  level_3_enabled = 2;
  delay_3_enabled = 1;
  window_3_enabled = 2;
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
