//! title: @TITLE@
//! source: ours; a generated driver (cargo xtask programs)

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "fencepost.h"

enum { READ = 1, WRITE = 2, SECTORS = @SECTORS@, MAGIC = @MAGIC@ };
enum { STATUS_NONE = 0, STATUS_DONE = 1, STATUS_ERROR = 2 };

/* One slot of the queue: who submits fills it and sets submitted; the device fills status and sets completed. */
struct request {
  int operation, sector, length, cookie;
  int status, transferred;
  atomic_int submitted, completed;
};

@PER_OPTION static struct request @option@;

/* The geometry, written when the disk is found. */
static int capacity, magic;
static atomic_int present, removed;
static atomic_int served;

static int disk_is_present(void) { return atomic_load_explicit(&present, memory_order_acquire); }

static void identify(void) {
  capacity = SECTORS;
  magic = MAGIC;
  atomic_store_explicit(&present, 1, memory_order_@PUBLISH@);
}

@PER_OPTION /* The device's side of @option@. */
@PER_OPTION static void serve_@option@(void) {
@PER_OPTION   if (!atomic_load_explicit(&@option@.submitted, memory_order_acquire)) return;
@PER_OPTION   assert(@option@.operation == READ || @option@.operation == WRITE);
@PER_OPTION   assert(@option@.length == @LENGTH@);
@PER_OPTION   assert(@option@.sector >= 0);
@PER_OPTION   assert(@option@.cookie == MAGIC + @NUMBER@);
@PER_OPTION   if (@option@.sector + @option@.length > capacity) {
@PER_OPTION     @option@.status = STATUS_ERROR;
@PER_OPTION     @option@.transferred = 0;
@PER_OPTION   } else {
@PER_OPTION     @option@.status = STATUS_DONE;
@PER_OPTION     @option@.transferred = @LENGTH@;
@PER_OPTION   }
@PER_OPTION   atomic_store_explicit(&@option@.completed, 1, memory_order_@COMPLETE@);
@PER_OPTION }
@PER_OPTION
@PER_OPTION /* The driver's side of @option@. */
@PER_OPTION static int submit_@option@(int sector) {
@PER_OPTION   @option@.operation = fencepost_choose(0, 1) ? READ : WRITE;
@PER_OPTION   @option@.sector = sector;
@PER_OPTION   @option@.length = @LENGTH@;
@PER_OPTION   @option@.cookie = MAGIC + @NUMBER@;
@PER_OPTION   atomic_store_explicit(&@option@.submitted, 1, memory_order_release);
@PER_OPTION   while (!atomic_load_explicit(&@option@.completed, memory_order_acquire)) {
@PER_OPTION   }
@PER_OPTION   assert(@option@.status != STATUS_NONE);
@PER_OPTION   assert(@option@.status == STATUS_DONE || @option@.transferred == 0);
@PER_OPTION   assert(@option@.transferred <= @LENGTH@);
@PER_OPTION   return @option@.status;
@PER_OPTION }
@PER_OPTION
static void *device(void *unused) {
  while (!atomic_load_explicit(&removed, memory_order_acquire)) {
    if (!disk_is_present()) continue;
    assert(magic == MAGIC);
@PER_OPTION     serve_@option@();
    atomic_fetch_add_explicit(&served, 1, memory_order_relaxed);
  }
  return 0;
}

static void *reader(void *unused) {
  if (!disk_is_present()) return 0;
  assert(capacity == SECTORS);
  int sector = fencepost_choose(0, @LAST@);
  assert(sector < SECTORS);
  int status;
@PER_OPTION   status = submit_@option@(sector);
@PER_OPTION   assert(status == STATUS_DONE || status == STATUS_ERROR);
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
