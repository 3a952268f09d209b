//! title: @TITLE@
//! source: ours; a generated driver (cargo xtask programs)

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "fencepost.h"

enum { OWNED_BY_DRIVER = 0, OWNED_BY_CARD = 1, MTU = @MTU@, SMALLEST = 60 };

/* A descriptor of the transmit ring. Whoever owns it may touch its other fields. */
struct descriptor {
  int address, length, flags, status;
  atomic_int owner;
};

@PER_OPTION static struct descriptor @option@;

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

@PER_OPTION /* Hands @option@ to the card. */
@PER_OPTION static int send_@option@(int length) {
@PER_OPTION   if (atomic_load_explicit(&@option@.owner, memory_order_acquire) != OWNED_BY_DRIVER) return -1;
@PER_OPTION   @option@.address = @ADDRESS@;
@PER_OPTION   @option@.length = length;
@PER_OPTION   @option@.flags = 3;
@PER_OPTION   assert(@option@.length <= MTU);
@PER_OPTION   atomic_store_explicit(&@option@.owner, OWNED_BY_CARD, memory_order_@COMPLETE@);
@PER_OPTION   return 0;
@PER_OPTION }
@PER_OPTION
@PER_OPTION /* The card takes @option@ and gives it back. */
@PER_OPTION static void transmit_@option@(void) {
@PER_OPTION   if (atomic_load_explicit(&@option@.owner, memory_order_acquire) != OWNED_BY_CARD) return;
@PER_OPTION   assert(@option@.address == @ADDRESS@);
@PER_OPTION   assert(@option@.length >= SMALLEST);
@PER_OPTION   assert(@option@.length <= MTU);
@PER_OPTION   assert(@option@.flags == 3);
@PER_OPTION   @option@.status = 1;
@PER_OPTION   atomic_store_explicit(&transmitted, 1, memory_order_relaxed);
@PER_OPTION   atomic_store_explicit(&@option@.owner, OWNED_BY_DRIVER, memory_order_release);
@PER_OPTION }
@PER_OPTION
static void *card(void *unused) {
  while (!atomic_load_explicit(&closing, memory_order_acquire)) {
    if (!card_is_up()) continue;
@PER_OPTION     transmit_@option@();
  }
  return 0;
}

static void *interrupt(void *unused) {
  while (fencepost_choose(0, 1)) {
    if (!card_is_up()) continue;
    assert(interrupt_line == @IRQ@);
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
  assert(mac_low == @MAC@);
  assert(mac_high != 0);
  while (fencepost_choose(0, 1)) {
    int length = fencepost_choose(SMALLEST, MTU);
    int result = -1;
    switch (fencepost_choose(0, @LAST@)) {
@PER_OPTION     case @NUMBER@:
@PER_OPTION       result = send_@option@(length);
@PER_OPTION       break;
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
  mac_low = @MAC@;
  mac_high = @MAC@ + 1;
  interrupt_line = @IRQ@;
  atomic_store_explicit(&link_speed, 10, memory_order_relaxed);
  atomic_store_explicit(&carrier, 1, memory_order_relaxed);
  atomic_store_explicit(&up, 1, memory_order_@PUBLISH@);
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
  assert(mac_low == @MAC@);
  int sent = atomic_load_explicit(&transmitted, memory_order_relaxed);
  assert(sent == 0 || sent == 1);
  return 0;
}
