//! title: Accounts under hand-written spin locks: test-and-set, compare-and-swap, and one that tries only once
//! source: ours

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "fencepost.h"

enum { ACCOUNTS = 3, OPENING = 100 };

/* A lock is 0 when free. */
static atomic_int account_lock, log_lock, audit_lock;

/* Under account_lock. */
static int balance[ACCOUNTS], owner, transfers;

/* Under log_lock. */
static int log_kind, log_amount, log_author;

/* Under audit_lock. */
static int auditor, findings;

static int opened_at;
static atomic_int open_for_business, refused;

static void lock(atomic_int *lock) {
  while (atomic_exchange_explicit(lock, 1, memory_order_acquire)) {
  }
}

static void lock_by_cas(atomic_int *lock) {
  int expected = 0;
  while (!atomic_compare_exchange_strong_explicit(lock, &expected, 1, memory_order_acquire, memory_order_relaxed)) {
    expected = 0;
  }
}

static int try_lock(atomic_int *lock) { return !atomic_exchange_explicit(lock, 1, memory_order_acquire); }

static void unlock(atomic_int *lock) { atomic_store_explicit(lock, 0, memory_order_release); }

static void record(int author, int amount) {
  lock_by_cas(&log_lock);
  log_author = author;
  log_amount = amount;
  log_kind = 1;
  assert(log_author == author);
  assert(log_amount == amount);
  unlock(&log_lock);
}

static void transfer(int self, int amount) {
  lock(&account_lock);
  owner = self;
  if (balance[0] >= amount) {
    balance[0] = balance[0] - amount;
    balance[1] = amount;
    transfers = 1;
  }
  assert(owner == self);
  assert(balance[1] >= 0);
  assert(transfers == 0 || transfers == 1);
  unlock(&account_lock);
  record(self, amount);
}

static void wait_until_open(void) {
  while (!atomic_load_explicit(&open_for_business, memory_order_acquire)) {
  }
  assert(opened_at == 9);
}

static void *teller_1(void *unused) {
  wait_until_open();
  while (fencepost_choose(0, 1)) transfer(1, 10);
  return 0;
}

static void *teller_2(void *unused) {
  wait_until_open();
  while (fencepost_choose(0, 1)) transfer(2, 20);
  return 0;
}

static void audit(int self) {
  if (!try_lock(&audit_lock)) {
    atomic_store_explicit(&refused, 1, memory_order_relaxed);
    return;
  }
  auditor = self;
  findings = 0;
  lock(&account_lock);
  int before = balance[2];
  assert(before == OPENING);
  unlock(&account_lock);
  assert(auditor == self);
  assert(findings == 0);
  unlock(&audit_lock);
}

static void *auditor_3(void *unused) {
  wait_until_open();
  while (fencepost_choose(0, 1)) audit(3);
  return 0;
}

static void *auditor_4(void *unused) {
  wait_until_open();
  while (fencepost_choose(0, 1)) audit(4);
  return 0;
}

int main(void) {
  pthread_t threads[4];
  pthread_create(&threads[0], 0, teller_1, 0);
  pthread_create(&threads[1], 0, teller_2, 0);
  pthread_create(&threads[2], 0, auditor_3, 0);
  pthread_create(&threads[3], 0, auditor_4, 0);
  for (int i = 0; i < ACCOUNTS; i++) balance[i] = OPENING;
  opened_at = 9;
  atomic_store_explicit(&open_for_business, 1, memory_order_release);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
  assert(balance[2] == OPENING);
  int no = atomic_load_explicit(&refused, memory_order_relaxed);
  assert(no == 0 || no == 1);
  return 0;
}
