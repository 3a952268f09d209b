//! title: A watchdog on a card with an interrupt (4 options)
//! source: ours; a generated driver (cargo xtask programs), in the manner of the watchdog drivers of paper 002 Table 4

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "fencepost.h"

enum { BASE = 0x270, IRQ = 11, DEFAULT_MARGIN = 60, LARGEST_MARGIN = 120 };
enum { COMMAND_PING = 1, COMMAND_STATUS = 2, COMMAND_START = 3 };

/* What probing finds out. It is written once, before the device is registered. */
static int io_base, io_irq, firmware, boot_status;
static int mode_port, mode_limit;
static int level_port, level_limit;
static int delay_port, delay_limit;
static int window_port, window_limit;
static atomic_int registered;

/* The state of the device. */
static atomic_int margin, running, expired, pings, stopping, timer_ended;
static atomic_int mode;
static atomic_int level;
static atomic_int delay;
static atomic_int window;
static atomic_int is_open, expect_close;
static pthread_mutex_t io_lock = PTHREAD_MUTEX_INITIALIZER;
static int last_command, commands_sent;
static atomic_int irq_count, irq_status;
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

/* mode: from 1 to 40. */
static int set_mode(int value) {
  if (value < 1 || value > 40) return -1;
  assert(mode_port == BASE + 1);
  atomic_store_explicit(&mode, value, memory_order_relaxed);
  return 0;
}

static int get_mode(void) {
  int value = atomic_load_explicit(&mode, memory_order_relaxed);
  assert(value >= 1);
  assert(value <= mode_limit);
  return value;
}

/* level: from 2 to 47. */
static int set_level(int value) {
  if (value < 2 || value > 47) return -1;
  assert(level_port == BASE + 2);
  atomic_store_explicit(&level, value, memory_order_relaxed);
  return 0;
}

static int get_level(void) {
  int value = atomic_load_explicit(&level, memory_order_relaxed);
  assert(value >= 2);
  assert(value <= level_limit);
  return value;
}

/* delay: from 3 to 54. */
static int set_delay(int value) {
  if (value < 3 || value > 54) return -1;
  assert(delay_port == BASE + 3);
  atomic_store_explicit(&delay, value, memory_order_relaxed);
  return 0;
}

static int get_delay(void) {
  int value = atomic_load_explicit(&delay, memory_order_relaxed);
  assert(value >= 3);
  assert(value <= delay_limit);
  return value;
}

/* window: from 1 to 61. */
static int set_window(int value) {
  if (value < 1 || value > 61) return -1;
  assert(window_port == BASE + 4);
  atomic_store_explicit(&window, value, memory_order_relaxed);
  return 0;
}

static int get_window(void) {
  int value = atomic_load_explicit(&window, memory_order_relaxed);
  assert(value >= 1);
  assert(value <= window_limit);
  return value;
}

static void set_margin(int value) {
  if (value < 1 || value > LARGEST_MARGIN) return;
  atomic_store_explicit(&margin, value, memory_order_relaxed);
  assert(value >= 1);
}

/* Before anything else may use the device. */
static void probe(void) {
  io_base = BASE;
  io_irq = IRQ;
  firmware = 7;
  boot_status = fencepost_choose(0, 1);
  mode_port = BASE + 1;
  mode_limit = 40;
  atomic_store_explicit(&mode, 1, memory_order_relaxed);
  level_port = BASE + 2;
  level_limit = 47;
  atomic_store_explicit(&level, 3, memory_order_relaxed);
  delay_port = BASE + 3;
  delay_limit = 54;
  atomic_store_explicit(&delay, 5, memory_order_relaxed);
  window_port = BASE + 4;
  window_limit = 61;
  atomic_store_explicit(&window, 4, memory_order_relaxed);
  atomic_store_explicit(&margin, DEFAULT_MARGIN, memory_order_relaxed);
  assert(firmware == 7);
  atomic_store_explicit(&registered, 1, memory_order_release);
}

static void *interrupt(void *unused) {
  while (fencepost_choose(0, 1)) {
    if (!device_is_registered()) continue;
    assert(io_irq == IRQ);
    assert(firmware == 7);
    int status = fencepost_choose(0, 3);
    atomic_store_explicit(&irq_status, status, memory_order_relaxed);
    atomic_fetch_add_explicit(&irq_count, 1, memory_order_relaxed);
    if (status & 1) atomic_store_explicit(&expired, 1, memory_order_relaxed);
    int count = atomic_load_explicit(&irq_count, memory_order_relaxed);
    assert(count != 0);
    int seen = atomic_load_explicit(&irq_status, memory_order_relaxed);
    assert(seen >= 0 && seen <= 3);
  }
  return 0;
}

/* Pings as long as nobody says stop. */
static void *timer(void *unused) {
  while (!atomic_load_explicit(&stopping, memory_order_acquire)) {
    if (!device_is_registered()) continue;
    ping();
    int left = atomic_load_explicit(&margin, memory_order_relaxed);
    assert(left >= 1);
    assert(left <= LARGEST_MARGIN);
  }
  atomic_store_explicit(&timer_ended, 1, memory_order_release);
  return 0;
}

static void ioctl_device(void) {
  int request = fencepost_choose(0, 11);
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
  case 4:
    set_mode(argument);
    break;
  case 5:
    argument = get_mode();
    break;
  case 6:
    set_level(argument);
    break;
  case 7:
    argument = get_level();
    break;
  case 8:
    set_delay(argument);
    break;
  case 9:
    argument = get_delay();
    break;
  case 10:
    set_window(argument);
    break;
  case 11:
    argument = get_window();
    break;
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
  pthread_t interrupt_thread;
  pthread_create(&timer_thread, 0, timer, 0);
  pthread_create(&interrupt_thread, 0, interrupt, 0);
  for (long i = 0; i < 2; i++) pthread_create(&users[i], 0, user, (void *)(i + 1));
  probe();
  for (int i = 0; i < 2; i++) pthread_join(users[i], 0);
  atomic_store_explicit(&stopping, 1, memory_order_release);
  pthread_join(timer_thread, 0);
  assert(atomic_load_explicit(&timer_ended, memory_order_relaxed) == 1);
  pthread_join(interrupt_thread, 0);
  assert(io_base == BASE);
  assert(atomic_load_explicit(&is_open, memory_order_relaxed) == 0);
  return 0;
}
