//! title: A flash disk whose completions are not ordered with what they complete (12 options)
//! source: ours; a generated driver (cargo xtask programs)

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "fencepost.h"

enum { READ = 1, WRITE = 2, SECTORS = 512, MAGIC = 0x17 };
enum { STATUS_NONE = 0, STATUS_DONE = 1, STATUS_ERROR = 2 };

/* One slot of the queue: who submits fills it and sets submitted; the device fills status and sets completed. */
struct request {
  int operation, sector, length, cookie;
  int status, transferred;
  atomic_int submitted, completed;
};

static struct request mode;
static struct request level;
static struct request delay;
static struct request window;
static struct request filter;
static struct request gain;
static struct request queue;
static struct request slot;
static struct request mode_2;
static struct request level_2;
static struct request delay_2;
static struct request window_2;

/* The geometry, written when the disk is found. */
static int capacity, magic;
static atomic_int present, removed;
static atomic_int served;

static int disk_is_present(void) { return atomic_load_explicit(&present, memory_order_acquire); }

static void identify(void) {
  capacity = SECTORS;
  magic = MAGIC;
  atomic_store_explicit(&present, 1, memory_order_release);
}

/* The device's side of mode. */
static void serve_mode(void) {
  if (!atomic_load_explicit(&mode.submitted, memory_order_acquire)) return;
  assert(mode.operation == READ || mode.operation == WRITE);
  assert(mode.length == 4);
  assert(mode.sector >= 0);
  assert(mode.cookie == MAGIC + 0);
  if (mode.sector + mode.length > capacity) {
    mode.status = STATUS_ERROR;
    mode.transferred = 0;
  } else {
    mode.status = STATUS_DONE;
    mode.transferred = 4;
  }
  atomic_store_explicit(&mode.completed, 1, memory_order_relaxed);
}

/* The driver's side of mode. */
static int submit_mode(int sector) {
  mode.operation = fencepost_choose(0, 1) ? READ : WRITE;
  mode.sector = sector;
  mode.length = 4;
  mode.cookie = MAGIC + 0;
  atomic_store_explicit(&mode.submitted, 1, memory_order_release);
  while (!atomic_load_explicit(&mode.completed, memory_order_acquire)) {
  }
  assert(mode.status != STATUS_NONE);
  assert(mode.status == STATUS_DONE || mode.transferred == 0);
  assert(mode.transferred <= 4);
  return mode.status;
}

/* The device's side of level. */
static void serve_level(void) {
  if (!atomic_load_explicit(&level.submitted, memory_order_acquire)) return;
  assert(level.operation == READ || level.operation == WRITE);
  assert(level.length == 4);
  assert(level.sector >= 0);
  assert(level.cookie == MAGIC + 1);
  if (level.sector + level.length > capacity) {
    level.status = STATUS_ERROR;
    level.transferred = 0;
  } else {
    level.status = STATUS_DONE;
    level.transferred = 4;
  }
  atomic_store_explicit(&level.completed, 1, memory_order_relaxed);
}

/* The driver's side of level. */
static int submit_level(int sector) {
  level.operation = fencepost_choose(0, 1) ? READ : WRITE;
  level.sector = sector;
  level.length = 4;
  level.cookie = MAGIC + 1;
  atomic_store_explicit(&level.submitted, 1, memory_order_release);
  while (!atomic_load_explicit(&level.completed, memory_order_acquire)) {
  }
  assert(level.status != STATUS_NONE);
  assert(level.status == STATUS_DONE || level.transferred == 0);
  assert(level.transferred <= 4);
  return level.status;
}

/* The device's side of delay. */
static void serve_delay(void) {
  if (!atomic_load_explicit(&delay.submitted, memory_order_acquire)) return;
  assert(delay.operation == READ || delay.operation == WRITE);
  assert(delay.length == 4);
  assert(delay.sector >= 0);
  assert(delay.cookie == MAGIC + 2);
  if (delay.sector + delay.length > capacity) {
    delay.status = STATUS_ERROR;
    delay.transferred = 0;
  } else {
    delay.status = STATUS_DONE;
    delay.transferred = 4;
  }
  atomic_store_explicit(&delay.completed, 1, memory_order_relaxed);
}

/* The driver's side of delay. */
static int submit_delay(int sector) {
  delay.operation = fencepost_choose(0, 1) ? READ : WRITE;
  delay.sector = sector;
  delay.length = 4;
  delay.cookie = MAGIC + 2;
  atomic_store_explicit(&delay.submitted, 1, memory_order_release);
  while (!atomic_load_explicit(&delay.completed, memory_order_acquire)) {
  }
  assert(delay.status != STATUS_NONE);
  assert(delay.status == STATUS_DONE || delay.transferred == 0);
  assert(delay.transferred <= 4);
  return delay.status;
}

/* The device's side of window. */
static void serve_window(void) {
  if (!atomic_load_explicit(&window.submitted, memory_order_acquire)) return;
  assert(window.operation == READ || window.operation == WRITE);
  assert(window.length == 4);
  assert(window.sector >= 0);
  assert(window.cookie == MAGIC + 3);
  if (window.sector + window.length > capacity) {
    window.status = STATUS_ERROR;
    window.transferred = 0;
  } else {
    window.status = STATUS_DONE;
    window.transferred = 4;
  }
  atomic_store_explicit(&window.completed, 1, memory_order_relaxed);
}

/* The driver's side of window. */
static int submit_window(int sector) {
  window.operation = fencepost_choose(0, 1) ? READ : WRITE;
  window.sector = sector;
  window.length = 4;
  window.cookie = MAGIC + 3;
  atomic_store_explicit(&window.submitted, 1, memory_order_release);
  while (!atomic_load_explicit(&window.completed, memory_order_acquire)) {
  }
  assert(window.status != STATUS_NONE);
  assert(window.status == STATUS_DONE || window.transferred == 0);
  assert(window.transferred <= 4);
  return window.status;
}

/* The device's side of filter. */
static void serve_filter(void) {
  if (!atomic_load_explicit(&filter.submitted, memory_order_acquire)) return;
  assert(filter.operation == READ || filter.operation == WRITE);
  assert(filter.length == 4);
  assert(filter.sector >= 0);
  assert(filter.cookie == MAGIC + 4);
  if (filter.sector + filter.length > capacity) {
    filter.status = STATUS_ERROR;
    filter.transferred = 0;
  } else {
    filter.status = STATUS_DONE;
    filter.transferred = 4;
  }
  atomic_store_explicit(&filter.completed, 1, memory_order_relaxed);
}

/* The driver's side of filter. */
static int submit_filter(int sector) {
  filter.operation = fencepost_choose(0, 1) ? READ : WRITE;
  filter.sector = sector;
  filter.length = 4;
  filter.cookie = MAGIC + 4;
  atomic_store_explicit(&filter.submitted, 1, memory_order_release);
  while (!atomic_load_explicit(&filter.completed, memory_order_acquire)) {
  }
  assert(filter.status != STATUS_NONE);
  assert(filter.status == STATUS_DONE || filter.transferred == 0);
  assert(filter.transferred <= 4);
  return filter.status;
}

/* The device's side of gain. */
static void serve_gain(void) {
  if (!atomic_load_explicit(&gain.submitted, memory_order_acquire)) return;
  assert(gain.operation == READ || gain.operation == WRITE);
  assert(gain.length == 4);
  assert(gain.sector >= 0);
  assert(gain.cookie == MAGIC + 5);
  if (gain.sector + gain.length > capacity) {
    gain.status = STATUS_ERROR;
    gain.transferred = 0;
  } else {
    gain.status = STATUS_DONE;
    gain.transferred = 4;
  }
  atomic_store_explicit(&gain.completed, 1, memory_order_relaxed);
}

/* The driver's side of gain. */
static int submit_gain(int sector) {
  gain.operation = fencepost_choose(0, 1) ? READ : WRITE;
  gain.sector = sector;
  gain.length = 4;
  gain.cookie = MAGIC + 5;
  atomic_store_explicit(&gain.submitted, 1, memory_order_release);
  while (!atomic_load_explicit(&gain.completed, memory_order_acquire)) {
  }
  assert(gain.status != STATUS_NONE);
  assert(gain.status == STATUS_DONE || gain.transferred == 0);
  assert(gain.transferred <= 4);
  return gain.status;
}

/* The device's side of queue. */
static void serve_queue(void) {
  if (!atomic_load_explicit(&queue.submitted, memory_order_acquire)) return;
  assert(queue.operation == READ || queue.operation == WRITE);
  assert(queue.length == 4);
  assert(queue.sector >= 0);
  assert(queue.cookie == MAGIC + 6);
  if (queue.sector + queue.length > capacity) {
    queue.status = STATUS_ERROR;
    queue.transferred = 0;
  } else {
    queue.status = STATUS_DONE;
    queue.transferred = 4;
  }
  atomic_store_explicit(&queue.completed, 1, memory_order_relaxed);
}

/* The driver's side of queue. */
static int submit_queue(int sector) {
  queue.operation = fencepost_choose(0, 1) ? READ : WRITE;
  queue.sector = sector;
  queue.length = 4;
  queue.cookie = MAGIC + 6;
  atomic_store_explicit(&queue.submitted, 1, memory_order_release);
  while (!atomic_load_explicit(&queue.completed, memory_order_acquire)) {
  }
  assert(queue.status != STATUS_NONE);
  assert(queue.status == STATUS_DONE || queue.transferred == 0);
  assert(queue.transferred <= 4);
  return queue.status;
}

/* The device's side of slot. */
static void serve_slot(void) {
  if (!atomic_load_explicit(&slot.submitted, memory_order_acquire)) return;
  assert(slot.operation == READ || slot.operation == WRITE);
  assert(slot.length == 4);
  assert(slot.sector >= 0);
  assert(slot.cookie == MAGIC + 7);
  if (slot.sector + slot.length > capacity) {
    slot.status = STATUS_ERROR;
    slot.transferred = 0;
  } else {
    slot.status = STATUS_DONE;
    slot.transferred = 4;
  }
  atomic_store_explicit(&slot.completed, 1, memory_order_relaxed);
}

/* The driver's side of slot. */
static int submit_slot(int sector) {
  slot.operation = fencepost_choose(0, 1) ? READ : WRITE;
  slot.sector = sector;
  slot.length = 4;
  slot.cookie = MAGIC + 7;
  atomic_store_explicit(&slot.submitted, 1, memory_order_release);
  while (!atomic_load_explicit(&slot.completed, memory_order_acquire)) {
  }
  assert(slot.status != STATUS_NONE);
  assert(slot.status == STATUS_DONE || slot.transferred == 0);
  assert(slot.transferred <= 4);
  return slot.status;
}

/* The device's side of mode_2. */
static void serve_mode_2(void) {
  if (!atomic_load_explicit(&mode_2.submitted, memory_order_acquire)) return;
  assert(mode_2.operation == READ || mode_2.operation == WRITE);
  assert(mode_2.length == 4);
  assert(mode_2.sector >= 0);
  assert(mode_2.cookie == MAGIC + 8);
  if (mode_2.sector + mode_2.length > capacity) {
    mode_2.status = STATUS_ERROR;
    mode_2.transferred = 0;
  } else {
    mode_2.status = STATUS_DONE;
    mode_2.transferred = 4;
  }
  atomic_store_explicit(&mode_2.completed, 1, memory_order_relaxed);
}

/* The driver's side of mode_2. */
static int submit_mode_2(int sector) {
  mode_2.operation = fencepost_choose(0, 1) ? READ : WRITE;
  mode_2.sector = sector;
  mode_2.length = 4;
  mode_2.cookie = MAGIC + 8;
  atomic_store_explicit(&mode_2.submitted, 1, memory_order_release);
  while (!atomic_load_explicit(&mode_2.completed, memory_order_acquire)) {
  }
  assert(mode_2.status != STATUS_NONE);
  assert(mode_2.status == STATUS_DONE || mode_2.transferred == 0);
  assert(mode_2.transferred <= 4);
  return mode_2.status;
}

/* The device's side of level_2. */
static void serve_level_2(void) {
  if (!atomic_load_explicit(&level_2.submitted, memory_order_acquire)) return;
  assert(level_2.operation == READ || level_2.operation == WRITE);
  assert(level_2.length == 4);
  assert(level_2.sector >= 0);
  assert(level_2.cookie == MAGIC + 9);
  if (level_2.sector + level_2.length > capacity) {
    level_2.status = STATUS_ERROR;
    level_2.transferred = 0;
  } else {
    level_2.status = STATUS_DONE;
    level_2.transferred = 4;
  }
  atomic_store_explicit(&level_2.completed, 1, memory_order_relaxed);
}

/* The driver's side of level_2. */
static int submit_level_2(int sector) {
  level_2.operation = fencepost_choose(0, 1) ? READ : WRITE;
  level_2.sector = sector;
  level_2.length = 4;
  level_2.cookie = MAGIC + 9;
  atomic_store_explicit(&level_2.submitted, 1, memory_order_release);
  while (!atomic_load_explicit(&level_2.completed, memory_order_acquire)) {
  }
  assert(level_2.status != STATUS_NONE);
  assert(level_2.status == STATUS_DONE || level_2.transferred == 0);
  assert(level_2.transferred <= 4);
  return level_2.status;
}

/* The device's side of delay_2. */
static void serve_delay_2(void) {
  if (!atomic_load_explicit(&delay_2.submitted, memory_order_acquire)) return;
  assert(delay_2.operation == READ || delay_2.operation == WRITE);
  assert(delay_2.length == 4);
  assert(delay_2.sector >= 0);
  assert(delay_2.cookie == MAGIC + 10);
  if (delay_2.sector + delay_2.length > capacity) {
    delay_2.status = STATUS_ERROR;
    delay_2.transferred = 0;
  } else {
    delay_2.status = STATUS_DONE;
    delay_2.transferred = 4;
  }
  atomic_store_explicit(&delay_2.completed, 1, memory_order_relaxed);
}

/* The driver's side of delay_2. */
static int submit_delay_2(int sector) {
  delay_2.operation = fencepost_choose(0, 1) ? READ : WRITE;
  delay_2.sector = sector;
  delay_2.length = 4;
  delay_2.cookie = MAGIC + 10;
  atomic_store_explicit(&delay_2.submitted, 1, memory_order_release);
  while (!atomic_load_explicit(&delay_2.completed, memory_order_acquire)) {
  }
  assert(delay_2.status != STATUS_NONE);
  assert(delay_2.status == STATUS_DONE || delay_2.transferred == 0);
  assert(delay_2.transferred <= 4);
  return delay_2.status;
}

/* The device's side of window_2. */
static void serve_window_2(void) {
  if (!atomic_load_explicit(&window_2.submitted, memory_order_acquire)) return;
  assert(window_2.operation == READ || window_2.operation == WRITE);
  assert(window_2.length == 4);
  assert(window_2.sector >= 0);
  assert(window_2.cookie == MAGIC + 11);
  if (window_2.sector + window_2.length > capacity) {
    window_2.status = STATUS_ERROR;
    window_2.transferred = 0;
  } else {
    window_2.status = STATUS_DONE;
    window_2.transferred = 4;
  }
  atomic_store_explicit(&window_2.completed, 1, memory_order_relaxed);
}

/* The driver's side of window_2. */
static int submit_window_2(int sector) {
  window_2.operation = fencepost_choose(0, 1) ? READ : WRITE;
  window_2.sector = sector;
  window_2.length = 4;
  window_2.cookie = MAGIC + 11;
  atomic_store_explicit(&window_2.submitted, 1, memory_order_release);
  while (!atomic_load_explicit(&window_2.completed, memory_order_acquire)) {
  }
  assert(window_2.status != STATUS_NONE);
  assert(window_2.status == STATUS_DONE || window_2.transferred == 0);
  assert(window_2.transferred <= 4);
  return window_2.status;
}

static void *device(void *unused) {
  while (!atomic_load_explicit(&removed, memory_order_acquire)) {
    if (!disk_is_present()) continue;
    assert(magic == MAGIC);
    serve_mode();
    serve_level();
    serve_delay();
    serve_window();
    serve_filter();
    serve_gain();
    serve_queue();
    serve_slot();
    serve_mode_2();
    serve_level_2();
    serve_delay_2();
    serve_window_2();
    atomic_fetch_add_explicit(&served, 1, memory_order_relaxed);
  }
  return 0;
}

static void *reader(void *unused) {
  if (!disk_is_present()) return 0;
  assert(capacity == SECTORS);
  int sector = fencepost_choose(0, 500);
  assert(sector < SECTORS);
  int status;
  status = submit_mode(sector);
  assert(status == STATUS_DONE || status == STATUS_ERROR);
  status = submit_level(sector);
  assert(status == STATUS_DONE || status == STATUS_ERROR);
  status = submit_delay(sector);
  assert(status == STATUS_DONE || status == STATUS_ERROR);
  status = submit_window(sector);
  assert(status == STATUS_DONE || status == STATUS_ERROR);
  status = submit_filter(sector);
  assert(status == STATUS_DONE || status == STATUS_ERROR);
  status = submit_gain(sector);
  assert(status == STATUS_DONE || status == STATUS_ERROR);
  status = submit_queue(sector);
  assert(status == STATUS_DONE || status == STATUS_ERROR);
  status = submit_slot(sector);
  assert(status == STATUS_DONE || status == STATUS_ERROR);
  status = submit_mode_2(sector);
  assert(status == STATUS_DONE || status == STATUS_ERROR);
  status = submit_level_2(sector);
  assert(status == STATUS_DONE || status == STATUS_ERROR);
  status = submit_delay_2(sector);
  assert(status == STATUS_DONE || status == STATUS_ERROR);
  status = submit_window_2(sector);
  assert(status == STATUS_DONE || status == STATUS_ERROR);
  atomic_store_explicit(&removed, 1, memory_order_release);
  return 0;
}

int main(void) {
  pthread_t device_thread, reader_thread;
  pthread_create(&device_thread, 0, device, 0);
  pthread_create(&reader_thread, 0, reader, 0);
  identify();
  pthread_join(reader_thread, 0);
  atomic_store_explicit(&removed, 1, memory_order_release);
  pthread_join(device_thread, 0);
  assert(capacity == SECTORS);
  assert(atomic_load_explicit(&present, memory_order_relaxed) == 1);
  return 0;
}
