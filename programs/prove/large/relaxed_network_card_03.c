//! title: A network card whose descriptors are handed over by relaxed stores (24 options)
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
static struct descriptor filter;
static struct descriptor gain;
static struct descriptor queue;
static struct descriptor slot;
static struct descriptor mode_2;
static struct descriptor level_2;
static struct descriptor delay_2;
static struct descriptor window_2;
static struct descriptor filter_2;
static struct descriptor gain_2;
static struct descriptor queue_2;
static struct descriptor slot_2;
static struct descriptor mode_3;
static struct descriptor level_3;
static struct descriptor delay_3;
static struct descriptor window_3;
static struct descriptor filter_3;
static struct descriptor gain_3;
static struct descriptor queue_3;
static struct descriptor slot_3;

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

/* Hands filter to the card. */
static int send_filter(int length) {
  if (atomic_load_explicit(&filter.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  filter.address = 0x1100;
  filter.length = length;
  filter.flags = 3;
  assert(filter.length <= MTU);
  atomic_store_explicit(&filter.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes filter and gives it back. */
static void transmit_filter(void) {
  if (atomic_load_explicit(&filter.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(filter.address == 0x1100);
  assert(filter.length >= SMALLEST);
  assert(filter.length <= MTU);
  assert(filter.flags == 3);
  filter.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&filter.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands gain to the card. */
static int send_gain(int length) {
  if (atomic_load_explicit(&gain.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  gain.address = 0x1140;
  gain.length = length;
  gain.flags = 3;
  assert(gain.length <= MTU);
  atomic_store_explicit(&gain.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes gain and gives it back. */
static void transmit_gain(void) {
  if (atomic_load_explicit(&gain.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(gain.address == 0x1140);
  assert(gain.length >= SMALLEST);
  assert(gain.length <= MTU);
  assert(gain.flags == 3);
  gain.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&gain.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands queue to the card. */
static int send_queue(int length) {
  if (atomic_load_explicit(&queue.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  queue.address = 0x1180;
  queue.length = length;
  queue.flags = 3;
  assert(queue.length <= MTU);
  atomic_store_explicit(&queue.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes queue and gives it back. */
static void transmit_queue(void) {
  if (atomic_load_explicit(&queue.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(queue.address == 0x1180);
  assert(queue.length >= SMALLEST);
  assert(queue.length <= MTU);
  assert(queue.flags == 3);
  queue.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&queue.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands slot to the card. */
static int send_slot(int length) {
  if (atomic_load_explicit(&slot.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  slot.address = 0x11c0;
  slot.length = length;
  slot.flags = 3;
  assert(slot.length <= MTU);
  atomic_store_explicit(&slot.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes slot and gives it back. */
static void transmit_slot(void) {
  if (atomic_load_explicit(&slot.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(slot.address == 0x11c0);
  assert(slot.length >= SMALLEST);
  assert(slot.length <= MTU);
  assert(slot.flags == 3);
  slot.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&slot.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands mode_2 to the card. */
static int send_mode_2(int length) {
  if (atomic_load_explicit(&mode_2.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  mode_2.address = 0x1200;
  mode_2.length = length;
  mode_2.flags = 3;
  assert(mode_2.length <= MTU);
  atomic_store_explicit(&mode_2.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes mode_2 and gives it back. */
static void transmit_mode_2(void) {
  if (atomic_load_explicit(&mode_2.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(mode_2.address == 0x1200);
  assert(mode_2.length >= SMALLEST);
  assert(mode_2.length <= MTU);
  assert(mode_2.flags == 3);
  mode_2.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&mode_2.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands level_2 to the card. */
static int send_level_2(int length) {
  if (atomic_load_explicit(&level_2.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  level_2.address = 0x1240;
  level_2.length = length;
  level_2.flags = 3;
  assert(level_2.length <= MTU);
  atomic_store_explicit(&level_2.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes level_2 and gives it back. */
static void transmit_level_2(void) {
  if (atomic_load_explicit(&level_2.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(level_2.address == 0x1240);
  assert(level_2.length >= SMALLEST);
  assert(level_2.length <= MTU);
  assert(level_2.flags == 3);
  level_2.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&level_2.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands delay_2 to the card. */
static int send_delay_2(int length) {
  if (atomic_load_explicit(&delay_2.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  delay_2.address = 0x1280;
  delay_2.length = length;
  delay_2.flags = 3;
  assert(delay_2.length <= MTU);
  atomic_store_explicit(&delay_2.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes delay_2 and gives it back. */
static void transmit_delay_2(void) {
  if (atomic_load_explicit(&delay_2.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(delay_2.address == 0x1280);
  assert(delay_2.length >= SMALLEST);
  assert(delay_2.length <= MTU);
  assert(delay_2.flags == 3);
  delay_2.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&delay_2.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands window_2 to the card. */
static int send_window_2(int length) {
  if (atomic_load_explicit(&window_2.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  window_2.address = 0x12c0;
  window_2.length = length;
  window_2.flags = 3;
  assert(window_2.length <= MTU);
  atomic_store_explicit(&window_2.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes window_2 and gives it back. */
static void transmit_window_2(void) {
  if (atomic_load_explicit(&window_2.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(window_2.address == 0x12c0);
  assert(window_2.length >= SMALLEST);
  assert(window_2.length <= MTU);
  assert(window_2.flags == 3);
  window_2.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&window_2.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands filter_2 to the card. */
static int send_filter_2(int length) {
  if (atomic_load_explicit(&filter_2.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  filter_2.address = 0x1300;
  filter_2.length = length;
  filter_2.flags = 3;
  assert(filter_2.length <= MTU);
  atomic_store_explicit(&filter_2.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes filter_2 and gives it back. */
static void transmit_filter_2(void) {
  if (atomic_load_explicit(&filter_2.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(filter_2.address == 0x1300);
  assert(filter_2.length >= SMALLEST);
  assert(filter_2.length <= MTU);
  assert(filter_2.flags == 3);
  filter_2.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&filter_2.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands gain_2 to the card. */
static int send_gain_2(int length) {
  if (atomic_load_explicit(&gain_2.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  gain_2.address = 0x1340;
  gain_2.length = length;
  gain_2.flags = 3;
  assert(gain_2.length <= MTU);
  atomic_store_explicit(&gain_2.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes gain_2 and gives it back. */
static void transmit_gain_2(void) {
  if (atomic_load_explicit(&gain_2.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(gain_2.address == 0x1340);
  assert(gain_2.length >= SMALLEST);
  assert(gain_2.length <= MTU);
  assert(gain_2.flags == 3);
  gain_2.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&gain_2.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands queue_2 to the card. */
static int send_queue_2(int length) {
  if (atomic_load_explicit(&queue_2.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  queue_2.address = 0x1380;
  queue_2.length = length;
  queue_2.flags = 3;
  assert(queue_2.length <= MTU);
  atomic_store_explicit(&queue_2.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes queue_2 and gives it back. */
static void transmit_queue_2(void) {
  if (atomic_load_explicit(&queue_2.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(queue_2.address == 0x1380);
  assert(queue_2.length >= SMALLEST);
  assert(queue_2.length <= MTU);
  assert(queue_2.flags == 3);
  queue_2.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&queue_2.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands slot_2 to the card. */
static int send_slot_2(int length) {
  if (atomic_load_explicit(&slot_2.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  slot_2.address = 0x13c0;
  slot_2.length = length;
  slot_2.flags = 3;
  assert(slot_2.length <= MTU);
  atomic_store_explicit(&slot_2.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes slot_2 and gives it back. */
static void transmit_slot_2(void) {
  if (atomic_load_explicit(&slot_2.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(slot_2.address == 0x13c0);
  assert(slot_2.length >= SMALLEST);
  assert(slot_2.length <= MTU);
  assert(slot_2.flags == 3);
  slot_2.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&slot_2.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands mode_3 to the card. */
static int send_mode_3(int length) {
  if (atomic_load_explicit(&mode_3.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  mode_3.address = 0x1400;
  mode_3.length = length;
  mode_3.flags = 3;
  assert(mode_3.length <= MTU);
  atomic_store_explicit(&mode_3.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes mode_3 and gives it back. */
static void transmit_mode_3(void) {
  if (atomic_load_explicit(&mode_3.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(mode_3.address == 0x1400);
  assert(mode_3.length >= SMALLEST);
  assert(mode_3.length <= MTU);
  assert(mode_3.flags == 3);
  mode_3.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&mode_3.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands level_3 to the card. */
static int send_level_3(int length) {
  if (atomic_load_explicit(&level_3.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  level_3.address = 0x1440;
  level_3.length = length;
  level_3.flags = 3;
  assert(level_3.length <= MTU);
  atomic_store_explicit(&level_3.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes level_3 and gives it back. */
static void transmit_level_3(void) {
  if (atomic_load_explicit(&level_3.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(level_3.address == 0x1440);
  assert(level_3.length >= SMALLEST);
  assert(level_3.length <= MTU);
  assert(level_3.flags == 3);
  level_3.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&level_3.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands delay_3 to the card. */
static int send_delay_3(int length) {
  if (atomic_load_explicit(&delay_3.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  delay_3.address = 0x1480;
  delay_3.length = length;
  delay_3.flags = 3;
  assert(delay_3.length <= MTU);
  atomic_store_explicit(&delay_3.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes delay_3 and gives it back. */
static void transmit_delay_3(void) {
  if (atomic_load_explicit(&delay_3.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(delay_3.address == 0x1480);
  assert(delay_3.length >= SMALLEST);
  assert(delay_3.length <= MTU);
  assert(delay_3.flags == 3);
  delay_3.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&delay_3.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands window_3 to the card. */
static int send_window_3(int length) {
  if (atomic_load_explicit(&window_3.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  window_3.address = 0x14c0;
  window_3.length = length;
  window_3.flags = 3;
  assert(window_3.length <= MTU);
  atomic_store_explicit(&window_3.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes window_3 and gives it back. */
static void transmit_window_3(void) {
  if (atomic_load_explicit(&window_3.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(window_3.address == 0x14c0);
  assert(window_3.length >= SMALLEST);
  assert(window_3.length <= MTU);
  assert(window_3.flags == 3);
  window_3.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&window_3.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands filter_3 to the card. */
static int send_filter_3(int length) {
  if (atomic_load_explicit(&filter_3.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  filter_3.address = 0x1500;
  filter_3.length = length;
  filter_3.flags = 3;
  assert(filter_3.length <= MTU);
  atomic_store_explicit(&filter_3.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes filter_3 and gives it back. */
static void transmit_filter_3(void) {
  if (atomic_load_explicit(&filter_3.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(filter_3.address == 0x1500);
  assert(filter_3.length >= SMALLEST);
  assert(filter_3.length <= MTU);
  assert(filter_3.flags == 3);
  filter_3.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&filter_3.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands gain_3 to the card. */
static int send_gain_3(int length) {
  if (atomic_load_explicit(&gain_3.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  gain_3.address = 0x1540;
  gain_3.length = length;
  gain_3.flags = 3;
  assert(gain_3.length <= MTU);
  atomic_store_explicit(&gain_3.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes gain_3 and gives it back. */
static void transmit_gain_3(void) {
  if (atomic_load_explicit(&gain_3.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(gain_3.address == 0x1540);
  assert(gain_3.length >= SMALLEST);
  assert(gain_3.length <= MTU);
  assert(gain_3.flags == 3);
  gain_3.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&gain_3.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands queue_3 to the card. */
static int send_queue_3(int length) {
  if (atomic_load_explicit(&queue_3.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  queue_3.address = 0x1580;
  queue_3.length = length;
  queue_3.flags = 3;
  assert(queue_3.length <= MTU);
  atomic_store_explicit(&queue_3.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes queue_3 and gives it back. */
static void transmit_queue_3(void) {
  if (atomic_load_explicit(&queue_3.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(queue_3.address == 0x1580);
  assert(queue_3.length >= SMALLEST);
  assert(queue_3.length <= MTU);
  assert(queue_3.flags == 3);
  queue_3.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&queue_3.owner, OWNED_BY_DRIVER, memory_order_release);
}

/* Hands slot_3 to the card. */
static int send_slot_3(int length) {
  if (atomic_load_explicit(&slot_3.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
  slot_3.address = 0x15c0;
  slot_3.length = length;
  slot_3.flags = 3;
  assert(slot_3.length <= MTU);
  atomic_store_explicit(&slot_3.owner, OWNED_BY_CARD, memory_order_relaxed);
  return 0;
}

/* The card takes slot_3 and gives it back. */
static void transmit_slot_3(void) {
  if (atomic_load_explicit(&slot_3.owner, memory_order_acquire) != OWNED_BY_CARD) return;
  assert(slot_3.address == 0x15c0);
  assert(slot_3.length >= SMALLEST);
  assert(slot_3.length <= MTU);
  assert(slot_3.flags == 3);
  slot_3.status = 1;
  atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
  atomic_store_explicit(&slot_3.owner, OWNED_BY_DRIVER, memory_order_release);
}

static void *card(void *unused) {
  while (!atomic_load_explicit(&closing, memory_order_acquire)) {
    if (!card_is_up()) continue;
    transmit_mode();
    transmit_level();
    transmit_delay();
    transmit_window();
    transmit_filter();
    transmit_gain();
    transmit_queue();
    transmit_slot();
    transmit_mode_2();
    transmit_level_2();
    transmit_delay_2();
    transmit_window_2();
    transmit_filter_2();
    transmit_gain_2();
    transmit_queue_2();
    transmit_slot_2();
    transmit_mode_3();
    transmit_level_3();
    transmit_delay_3();
    transmit_window_3();
    transmit_filter_3();
    transmit_gain_3();
    transmit_queue_3();
    transmit_slot_3();
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
    switch (fencepost_choose(0, 23)) {
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
    case 4:
      result = send_filter(length);
      break;
    case 5:
      result = send_gain(length);
      break;
    case 6:
      result = send_queue(length);
      break;
    case 7:
      result = send_slot(length);
      break;
    case 8:
      result = send_mode_2(length);
      break;
    case 9:
      result = send_level_2(length);
      break;
    case 10:
      result = send_delay_2(length);
      break;
    case 11:
      result = send_window_2(length);
      break;
    case 12:
      result = send_filter_2(length);
      break;
    case 13:
      result = send_gain_2(length);
      break;
    case 14:
      result = send_queue_2(length);
      break;
    case 15:
      result = send_slot_2(length);
      break;
    case 16:
      result = send_mode_3(length);
      break;
    case 17:
      result = send_level_3(length);
      break;
    case 18:
      result = send_delay_3(length);
      break;
    case 19:
      result = send_window_3(length);
      break;
    case 20:
      result = send_filter_3(length);
      break;
    case 21:
      result = send_gain_3(length);
      break;
    case 22:
      result = send_queue_3(length);
      break;
    case 23:
      result = send_slot_3(length);
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
