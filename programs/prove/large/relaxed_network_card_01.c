//! title: A network card whose descriptors are handed over by relaxed stores (4 options)
//! source: ours; a generated driver (cargo xtask programs)

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "fencepost.h"

enum { OWNED_BY_DRIVER = 0, OWNED_BY_CARD = 1, MTU = 9000, SMALLEST = 60 };

/* A descriptor of the transmit ring. Whoever owns it may touch its other fields. */
struct descriptor {
  int address, length, flags, status;
  atomic_int owner;
};

static struct descriptor mode;
static struct descriptor level;
static struct descriptor delay;
static struct descriptor window;

static int mac_low, mac_high, interrupt_line;
static atomic_int up, link_speed, carrier, closing;
static atomic_int transmitted, dropped, interrupts;
static pthread_mutex_t statistics = PTHREAD_MUTEX_INITIALIZER;
static int packets, octets;

static int card_is_up(void) { return atomic_load_explicit(&up, memory_order_acquire); }

static void account(int length) {
  pthread_mutex_lock(&statistics);
  int before = packets;
  packets = before + 1;
  octets = length;
  assert(octets == length);
  assert(packets == before + 1);
  pthread_mutex_unlock(&statistics);
}

/* Hands mode to the card. */
static int send_mode(int length) {
  if (atomic_load_explicit(&mode.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  mode.address = 0x1000;
  mode.length = length;
  mode.flags = 3;
  assert(mode.length <= MTU);
  atomic_store_explicit(&mode.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes mode and gives it back. */
static void transmit_mode(void) {
  if (atomic_load_explicit(&mode.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(mode.address == 0x1000);
  assert(mode.length >= SMALLEST);
  assert(mode.length <= MTU);
  assert(mode.flags == 3);
  mode.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&mode.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands level to the card. */
static int send_level(int length) {
  if (atomic_load_explicit(&level.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  level.address = 0x1040;
  level.length = length;
  level.flags = 3;
  assert(level.length <= MTU);
  atomic_store_explicit(&level.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes level and gives it back. */
static void transmit_level(void) {
  if (atomic_load_explicit(&level.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(level.address == 0x1040);
  assert(level.length >= SMALLEST);
  assert(level.length <= MTU);
  assert(level.flags == 3);
  level.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&level.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands delay to the card. */
static int send_delay(int length) {
  if (atomic_load_explicit(&delay.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  delay.address = 0x1080;
  delay.length = length;
  delay.flags = 3;
  assert(delay.length <= MTU);
  atomic_store_explicit(&delay.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes delay and gives it back. */
static void transmit_delay(void) {
  if (atomic_load_explicit(&delay.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(delay.address == 0x1080);
  assert(delay.length >= SMALLEST);
  assert(delay.length <= MTU);
  assert(delay.flags == 3);
  delay.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&delay.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands window to the card. */
static int send_window(int length) {
  if (atomic_load_explicit(&window.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  window.address = 0x10c0;
  window.length = length;
  window.flags = 3;
  assert(window.length <= MTU);
  atomic_store_explicit(&window.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes window and gives it back. */
static void transmit_window(void) {
  if (atomic_load_explicit(&window.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(window.address == 0x10c0);
  assert(window.length >= SMALLEST);
  assert(window.length <= MTU);
  assert(window.flags == 3);
  window.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&window.owner, OWNED_BY_DRIVER, memory_order_release);
}

static void *card(void *unused) {
  while (!atomic_load_explicit(&closing, memory_order_acquire)) {
    if (!card_is_up()) continue;
    transmit_mode();
    transmit_level();
    transmit_delay();
    transmit_window();
  }
  return 0;
}

static void *interrupt(void *unused) {
  while (fencepost_choose(0, 1)) {
    if (!card_is_up()) continue;
    assert(interrupt_line == 12);
    atomic_fetch_add_explicit(&interrupts, 1, memory_order_relaxed);
    int speed = atomic_load_explicit(&link_speed, memory_order_relaxed);
    assert(speed == 10 || speed == 100);
    if (fencepost_choose(0, 1)) atomic_store_explicit(&link_speed, 100, memory_order_relaxed);
    account(SMALLEST);
  }
  return 0;
}

static void *stack(void *unused) {
  if (!card_is_up()) return 0;
  assert(mac_low == 0x1008);
  assert(mac_high != 0);
  while (fencepost_choose(0, 1)) {
    int length = fencepost_choose(SMALLEST, MTU);
    int result = -1;
    switch (fencepost_choose(0, 3)) {
    case 0:
      result = send_mode(length);
      break;
    case 1:
      result = send_level(length);
      break;
    case 2:
      result = send_delay(length);
      break;
    case 3:
      result = send_window(length);
      break;
    }
    if (result) {
      atomic_store_explicit(&dropped, 1, memory_order_relaxed);
    } else {
      account(length);
    }
    int lost = atomic_load_explicit(&dropped, memory_order_relaxed);
    assert(lost == 0 || lost == 1);
  }
  return 0;
}

static void open_card(void) {
  mac_low = 0x1008;
  mac_high = 0x1008 + 1;
  interrupt_line = 12;
  atomic_store_explicit(&link_speed, 10, memory_order_relaxed);
  atomic_store_explicit(&carrier, 1, memory_order_relaxed);
  atomic_store_explicit(&up, 1, memory_order_release);
}

int main(void) {
  pthread_t card_thread, interrupt_thread, stack_thread;
  pthread_create(&card_thread, 0, card, 0);
  pthread_create(&interrupt_thread, 0, interrupt, 0);
  pthread_create(&stack_thread, 0, stack, 0);
  open_card();
  pthread_join(stack_thread, 0);
  atomic_store_explicit(&closing, 1, memory_order_release);
  pthread_join(card_thread, 0);
  pthread_join(interrupt_thread, 0);
  assert(atomic_load_explicit(&carrier, memory_order_relaxed) == 1);
  assert(mac_low == 0x1008);
  int sent = atomic_load_explicit(&transmitted, memory_order_relaxed);
  assert(sent == 0 || sent == 1);
  return 0;
}
