//! title: A keyboard: the interrupt handler decodes scan codes into a ring, a tasklet empties it, ioctl changes the layout
//! source: ours; in the manner of keybISR of paper 002 Table 4

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "fencepost.h"

enum { RING = 8, KEYS = 128, RELEASED = 0x80, LAYOUTS = 3 };

/* Found when the controller is probed. */
static int controller_port, keyboard_id, repeat_delay;
static atomic_int attached;

/* From the handler to the tasklet. */
static int ring[RING];
static atomic_int head, tail, overflow, pressed;

/* From the tasklet to readers. */
static int last_key, last_layout;
static atomic_int key_ready;

/* Changed by ioctl, under the lock. */
static pthread_mutex_t settings = PTHREAD_MUTEX_INITIALIZER;
static int layout, leds, changes;
static atomic_int closing;

static int is_attached(void) { return atomic_load_explicit(&attached, memory_order_acquire); }

static void push(int code) {
  int h = atomic_load_explicit(&head, memory_order_relaxed);
  int t = atomic_load_explicit(&tail, memory_order_acquire);
  assert(h >= 0);
  assert(h < RING);
  int next = (h + 1) % RING;
  assert(next != h);
  if (next == t) {
    atomic_store_explicit(&overflow, 1, memory_order_relaxed);
    return;
  }
  ring[h] = code;
  atomic_store_explicit(&head, next, memory_order_release);
}

static void *handler(void *unused) {
  while (!atomic_load_explicit(&closing, memory_order_acquire)) {
    if (!is_attached()) continue;
    assert(controller_port == 0x60);
    assert(keyboard_id == 0xab83);
    int code = fencepost_choose(1, 255);
    if (code & RELEASED) {
      atomic_store_explicit(&pressed, 0, memory_order_relaxed);
    } else {
      atomic_store_explicit(&pressed, 1, memory_order_relaxed);
      push(code);
    }
    int down = atomic_load_explicit(&pressed, memory_order_relaxed);
    assert(down == 0 || down == 1);
  }
  return 0;
}

static int current_layout(void) {
  pthread_mutex_lock(&settings);
  int now = layout;
  assert(now >= 0);
  assert(now < LAYOUTS);
  pthread_mutex_unlock(&settings);
  return now;
}

static void *tasklet(void *unused) {
  while (!atomic_load_explicit(&closing, memory_order_acquire)) {
    if (!is_attached()) continue;
    assert(repeat_delay == 250);
    int t = atomic_load_explicit(&tail, memory_order_relaxed);
    int h = atomic_load_explicit(&head, memory_order_acquire);
    assert(t >= 0 && t < RING);
    if (h == t) continue;
    int code = ring[t];
    assert(code >= 0);
    assert(code < KEYS + RELEASED);
    atomic_store_explicit(&tail, (t + 1) % RING, memory_order_release);
    if (atomic_load_explicit(&key_ready, memory_order_acquire)) continue;
    last_key = code;
    last_layout = current_layout() + 1;
    atomic_store_explicit(&key_ready, 1, memory_order_release);
  }
  return 0;
}

static void *reader(void *unused) {
  while (!atomic_load_explicit(&key_ready, memory_order_acquire)) {
  }
  int key = last_key, with = last_layout;
  assert(with >= 1);
  assert(with <= LAYOUTS);
  assert(key < KEYS + RELEASED);
  atomic_store_explicit(&key_ready, 0, memory_order_release);
  return 0;
}

static void *ioctl(void *unused) {
  while (fencepost_choose(0, 1)) {
    if (!is_attached()) continue;
    assert(keyboard_id != 0);
    pthread_mutex_lock(&settings);
    int wanted = fencepost_choose(0, 2);
    layout = wanted;
    leds = wanted;
    changes = 1;
    assert(layout == wanted);
    assert(leds == layout);
    pthread_mutex_unlock(&settings);
  }
  return 0;
}

int main(void) {
  pthread_t threads[4];
  pthread_create(&threads[0], 0, handler, 0);
  pthread_create(&threads[1], 0, tasklet, 0);
  pthread_create(&threads[2], 0, reader, 0);
  pthread_create(&threads[3], 0, ioctl, 0);
  controller_port = 0x60;
  keyboard_id = 0xab83;
  repeat_delay = 250;
  atomic_store_explicit(&attached, 1, memory_order_release);
  pthread_join(threads[2], 0);
  atomic_store_explicit(&closing, 1, memory_order_release);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  pthread_join(threads[3], 0);
  assert(changes == 0 || changes == 1);
  assert(controller_port == 0x60);
  return 0;
}
