/* Threads that wait until they are notified: what std::atomic waits on.
 *
 * Beside each address is the set of threads that wait there. A notification takes threads out of the set and wakes each through
 * a word of its own. A thread enters the set and then looks at the value: if a notification came before it, it sees what was
 * written before that notification, as with the lock of a kernel. Both are updates of one word, of which the first releases and
 * the second acquires.
 *
 * This orders memory, which C++ does not promise. It hides nothing: whether a thread waits is a choice, and if it does not, it
 * has all the results that it can have after a wait. Threads that wait are there to be chosen by a notification, and to be left
 * waiting for ever if none comes. */

enum { MOST_WAITERS = 62 };

static long *waiters_at(const volatile void *address) { return (long *)__fencepost_beside(address); }

/* Whether the thread is to wait; then it is in the set. For proofs, it goes on as soon as it may. */
int __fencepost_must_wait(const volatile void *address) {
  if (PROOF || fencepost_choose(0, 1) == 0) return 0;
  long self = __fencepost_self();
  if (self > MOST_WAITERS) __fencepost_refuse("a wait for a notification in more than 63 threads");
  __atomic_fetch_or(waiters_at(address), 1L << self, ACQUIRE);
  return 1;
}

/* Waits for a notification. A thread that finds another value than the one that it waits on does not come here. */
void __fencepost_sleep(int still_there) {
  __fencepost_assume(still_there);
  __fencepost_bcas(__fencepost_wake_cell(__fencepost_self()), 1, 0, 8, RELAXED);
}

/* Wakes one waiting thread, or all. Returns how many. */
int __fencepost_notify(const volatile void *address, int all) {
  if (PROOF) return 0;
  long *set = waiters_at(address), waiting;
  int woken = 0;
  if (all) {
    for (waiting = __atomic_fetch_and(set, 0, RELEASE); waiting; waiting &= waiting - 1, woken++) wake(waiting & -waiting);
    return woken;
  }
  for (waiting = __atomic_fetch_or(set, 0, RELEASE); waiting;) {
    long waiter = pick(waiting);
    waiting = __atomic_fetch_and(set, ~waiter, RELEASE);
    if (waiting & waiter) {
      wake(waiter);
      return 1;
    }
  }
  return 0;
}

/* A lock for each address, beside the set of threads that wait there. */
static int *lock_beside(const volatile void *address) { return (int *)((long *)__fencepost_beside(address) + 1); }
void __fencepost_lock_beside(const volatile void *address, int order) {
  if (order == __ATOMIC_SEQ_CST)
    __fencepost_bcas(lock_beside(address), 0, 1, 4, __ATOMIC_SEQ_CST);
  else
    __fencepost_bcas(lock_beside(address), 0, 1, 4, ACQUIRE);
}
void __fencepost_unlock_beside(const volatile void *address, int order) {
  if (order == __ATOMIC_SEQ_CST)
    __atomic_store_n(lock_beside(address), 0, __ATOMIC_SEQ_CST);
  else
    __atomic_store_n(lock_beside(address), 0, RELEASE);
}
