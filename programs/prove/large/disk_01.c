//! title: A disk with a slot for each request: the driver fills one, the device completes it (3 options)
//! source: ours; a generated driver (cargo xtask programs)

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "fencepost.h"

enum { READ = 1, WRITE = 2, SECTORS = 2048, MAGIC = 0x4b };
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
  assert(mode.length == 8);
  assert(mode.sector >= 0);
  assert(mode.cookie == MAGIC + 0);
  if (mode.sector + mode.length > capacity) {
    mode.status = STATUS_ERROR;
    mode.transferred = 0;
  } else {
    mode.status = STATUS_DONE;
    mode.transferred = 8;
  }
  atomic_store_explicit(&mode.completed, 1, memory_order_release);
}

/* The driver's side of mode. */
static int submit_mode(int sector) {
  mode.operation = fencepost_choose(0, 1) ? READ : WRITE;
  mode.sector = sector;
  mode.length = 8;
  mode.cookie = MAGIC + 0;
  atomic_store_explicit(&mode.submitted, 1, memory_order_release);
  while (!atomic_load_explicit(&mode.completed, memory_order_acquire)) {
  }
  assert(mode.status != STATUS_NONE);
  assert(mode.status == STATUS_DONE || mode.transferred == 0);
  assert(mode.transferred <= 8);
  return mode.status;
}

/* The device's side of level. */
static void serve_level(void) {
  if (!atomic_load_explicit(&level.submitted, memory_order_acquire)) return;
  assert(level.operation == READ || level.operation == WRITE);
  assert(level.length == 8);
  assert(level.sector >= 0);
  assert(level.cookie == MAGIC + 1);
  if (level.sector + level.length > capacity) {
    level.status = STATUS_ERROR;
    level.transferred = 0;
  } else {
    level.status = STATUS_DONE;
    level.transferred = 8;
  }
  atomic_store_explicit(&level.completed, 1, memory_order_release);
}

/* The driver's side of level. */
static int submit_level(int sector) {
  level.operation = fencepost_choose(0, 1) ? READ : WRITE;
  level.sector = sector;
  level.length = 8;
  level.cookie = MAGIC + 1;
  atomic_store_explicit(&level.submitted, 1, memory_order_release);
  while (!atomic_load_explicit(&level.completed, memory_order_acquire)) {
  }
  assert(level.status != STATUS_NONE);
  assert(level.status == STATUS_DONE || level.transferred == 0);
  assert(level.transferred <= 8);
  return level.status;
}

/* The device's side of delay. */
static void serve_delay(void) {
  if (!atomic_load_explicit(&delay.submitted, memory_order_acquire)) return;
  assert(delay.operation == READ || delay.operation == WRITE);
  assert(delay.length == 8);
  assert(delay.sector >= 0);
  assert(delay.cookie == MAGIC + 2);
  if (delay.sector + delay.length > capacity) {
    delay.status = STATUS_ERROR;
    delay.transferred = 0;
  } else {
    delay.status = STATUS_DONE;
    delay.transferred = 8;
  }
  atomic_store_explicit(&delay.completed, 1, memory_order_release);
}

/* The driver's side of delay. */
static int submit_delay(int sector) {
  delay.operation = fencepost_choose(0, 1) ? READ : WRITE;
  delay.sector = sector;
  delay.length = 8;
  delay.cookie = MAGIC + 2;
  atomic_store_explicit(&delay.submitted, 1, memory_order_release);
  while (!atomic_load_explicit(&delay.completed, memory_order_acquire)) {
  }
  assert(delay.status != STATUS_NONE);
  assert(delay.status == STATUS_DONE || delay.transferred == 0);
  assert(delay.transferred <= 8);
  return delay.status;
}

static void *device(void *unused) {
  while (!atomic_load_explicit(&removed, memory_order_acquire)) {
    if (!disk_is_present()) continue;
    assert(magic == MAGIC);
    serve_mode();
    serve_level();
    serve_delay();
    atomic_fetch_add_explicit(&served, 1, memory_order_relaxed);
  }
  return 0;
}

static void *reader(void *unused) {
  if (!disk_is_present()) return 0;
  assert(capacity == SECTORS);
  int sector = fencepost_choose(0, 2047);
  assert(sector < SECTORS);
  int status;
  status = submit_mode(sector);
  assert(status == STATUS_DONE || status == STATUS_ERROR);
  status = submit_level(sector);
  assert(status == STATUS_DONE || status == STATUS_ERROR);
  status = submit_delay(sector);
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
