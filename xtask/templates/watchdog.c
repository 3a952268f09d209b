//! title: @TITLE@
//! source: ours; a generated driver (cargo xtask programs), in the manner of the watchdog drivers of paper 002 Table 4

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "fencepost.h"

enum { BASE = @BASE@, IRQ = @IRQ@, DEFAULT_MARGIN = @MARGIN@, LARGEST_MARGIN = @LARGEST@ };
enum { COMMAND_PING = 1, COMMAND_STATUS = 2, COMMAND_START = 3 };

/* What probing finds out. It is written once, before the device is registered. */
static int io_base, io_irq, firmware, boot_status;
@PER_OPTION static int @option@_port, @option@_limit;
static atomic_int registered;

/* The state of the device. */
static atomic_int margin, running, expired, pings, stopping, timer_ended;
@PER_OPTION static atomic_int @option@;
static atomic_int is_open, expect_close;
static pthread_mutex_t io_lock = PTHREAD_MUTEX_INITIALIZER;
static int last_command, commands_sent;
@IF_IRQ static atomic_int irq_count, irq_status;
@IF_SUSPEND static atomic_int suspending, pinging;
static int owner;

static int device_is_registered(void) { return atomic_load_explicit(&registered, memory_order_acquire); }

/* The only way to the ports. */
static void send_command(int command) {
  pthread_mutex_lock(&io_lock);
  last_command = command;
  commands_sent = commands_sent + 1;
  assert(last_command == command);
  assert(io_base == BASE);
  pthread_mutex_unlock(&io_lock);
}

static void ping(void) {
  assert(io_base == BASE);
  send_command(COMMAND_PING);
  atomic_store_explicit(&pings, 1, memory_order_relaxed);
}

@PER_OPTION /* @option@: from @LOW@ to @HIGH@. */
@PER_OPTION static int set_@option@(int value) {
@PER_OPTION   if (value < @LOW@ || value > @HIGH@) return -1;
@PER_OPTION   assert(@option@_port == BASE + @PORT@);
@PER_OPTION   atomic_store_explicit(&@option@, value, memory_order_relaxed);
@PER_OPTION   return 0;
@PER_OPTION }
@PER_OPTION
@PER_OPTION static int get_@option@(void) {
@PER_OPTION   int value = atomic_load_explicit(&@option@, memory_order_relaxed);
@PER_OPTION   assert(value >= @LOW@);
@PER_OPTION   assert(value <= @option@_limit);
@PER_OPTION   return value;
@PER_OPTION }
@PER_OPTION
static void set_margin(int value) {
  if (value < 1 || value > LARGEST_MARGIN) return;
  atomic_store_explicit(&margin, value, memory_order_relaxed);
  assert(value >= 1);
}

/* Before anything else may use the device. */
static void probe(void) {
  io_base = BASE;
  io_irq = IRQ;
  firmware = @FIRMWARE@;
  boot_status = fencepost_choose(0, 1);
@PER_OPTION   @option@_port = BASE + @PORT@;
@PER_OPTION   @option@_limit = @HIGH@;
@PER_OPTION   atomic_store_explicit(&@option@, @DEFAULT@, memory_order_relaxed);
  atomic_store_explicit(&margin, DEFAULT_MARGIN, memory_order_relaxed);
  assert(firmware == @FIRMWARE@);
  atomic_store_explicit(&registered, 1, memory_order_@PUBLISH@);
}

@IF_IRQ static void *interrupt(void *unused) {
@IF_IRQ   while (fencepost_choose(0, 1)) {
@IF_IRQ     if (!device_is_registered()) continue;
@IF_IRQ     assert(io_irq == IRQ);
@IF_IRQ     assert(firmware == @FIRMWARE@);
@IF_IRQ     int status = fencepost_choose(0, 3);
@IF_IRQ     atomic_store_explicit(&irq_status, status, memory_order_relaxed);
@IF_IRQ     atomic_fetch_add_explicit(&irq_count, 1, memory_order_relaxed);
@IF_IRQ     if (status & 1) atomic_store_explicit(&expired, 1, memory_order_relaxed);
@IF_IRQ     int count = atomic_load_explicit(&irq_count, memory_order_relaxed);
@IF_IRQ     assert(count != 0);
@IF_IRQ     int seen = atomic_load_explicit(&irq_status, memory_order_relaxed);
@IF_IRQ     assert(seen >= 0 && seen <= 3);
@IF_IRQ   }
@IF_IRQ   return 0;
@IF_IRQ }
@IF_IRQ
/* Pings as long as nobody says stop. */
static void *timer(void *unused) {
  while (!atomic_load_explicit(&stopping, memory_order_acquire)) {
    if (!device_is_registered()) continue;
@IF_SUSPEND     atomic_store_explicit(&pinging, 1, memory_order_relaxed);
@IF_SUSPEND     @FENCE@
@IF_SUSPEND     if (!atomic_load_explicit(&suspending, memory_order_relaxed)) {
@IF_SUSPEND       int still = atomic_load_explicit(&suspending, memory_order_relaxed);
@IF_SUSPEND       assert(still == 0 || still == 1);
@IF_SUSPEND       ping();
@IF_SUSPEND     }
@IF_SUSPEND     atomic_store_explicit(&pinging, 0, memory_order_release);
@IF_NO_SUSPEND     ping();
    int left = atomic_load_explicit(&margin, memory_order_relaxed);
    assert(left >= 1);
    assert(left <= LARGEST_MARGIN);
  }
  atomic_store_explicit(&timer_ended, 1, memory_order_release);
  return 0;
}

static void ioctl_device(void) {
  int request = fencepost_choose(0, @REQUESTS@);
  int argument = fencepost_choose(0, 255);
  switch (request) {
  case 0:
    ping();
    break;
  case 1:
    set_margin(argument);
    break;
  case 2:
    argument = atomic_load_explicit(&margin, memory_order_relaxed);
    assert(argument != 0);
    break;
  case 3:
    argument = atomic_load_explicit(&expired, memory_order_relaxed);
    assert(argument == 0 || argument == 1);
    break;
@PER_OPTION   case @SET@:
@PER_OPTION     set_@option@(argument);
@PER_OPTION     break;
@PER_OPTION   case @GET@:
@PER_OPTION     argument = get_@option@();
@PER_OPTION     break;
  }
}

static void *user(void *number) {
  int self = (int)(long)number;
  if (!device_is_registered()) return 0;
  assert(io_base == BASE);
  if (atomic_exchange_explicit(&is_open, 1, memory_order_acquire)) return 0;
  owner = self;
  atomic_store_explicit(&running, 1, memory_order_relaxed);
  send_command(COMMAND_START);
  while (fencepost_choose(0, 1)) ioctl_device();
  assert(owner == self);
  int close = atomic_load_explicit(&expect_close, memory_order_relaxed);
  assert(close == 0 || close == 'V');
  if (close == 'V') atomic_store_explicit(&running, 0, memory_order_relaxed);
  atomic_store_explicit(&expect_close, 0, memory_order_relaxed);
  atomic_store_explicit(&is_open, 0, memory_order_release);
  return 0;
}

int main(void) {
  pthread_t timer_thread, users[2];
@IF_IRQ   pthread_t interrupt_thread;
  pthread_create(&timer_thread, 0, timer, 0);
@IF_IRQ   pthread_create(&interrupt_thread, 0, interrupt, 0);
  for (long i = 0; i < 2; i++) pthread_create(&users[i], 0, user, (void *)(i + 1));
  probe();
@IF_SUSPEND   atomic_store_explicit(&suspending, 1, memory_order_relaxed);
@IF_SUSPEND   @FENCE@
@IF_SUSPEND   int busy = atomic_load_explicit(&pinging, memory_order_acquire);
@IF_SUSPEND   assert(busy == 0 || busy == 1);
@IF_SUSPEND   atomic_store_explicit(&suspending, 0, memory_order_release);
  for (int i = 0; i < 2; i++) pthread_join(users[i], 0);
  atomic_store_explicit(&stopping, 1, memory_order_release);
  pthread_join(timer_thread, 0);
  assert(atomic_load_explicit(&timer_ended, memory_order_relaxed) == 1);
@IF_IRQ   pthread_join(interrupt_thread, 0);
  assert(io_base == BASE);
  assert(atomic_load_explicit(&is_open, memory_order_relaxed) == 0);
  return 0;
}
