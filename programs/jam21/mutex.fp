//! title: A mutex on a futex: two threads
//! source: GenMC test suite, data-structures/mutex
//! expect-executions: rc11=12+1 jam21=12+1
//! note: The futex is a counter of wake-ups, as in the original. Waiting for the counter to change is a read and an
//! note: assumption.

atomic mutex: 0..2, wakeups;
nonatomic data;

fn futex_wait() {
  s = wakeups.load(acq);
  m = mutex.load(acq);
  if (m == 2) {
    now = wakeups.load(acq);
    assume(now != s);
  }
}

fn lock() {
  (fast, _) = mutex.cas(0, 1, acq, acq);
  if (!fast) {
    loop {
      mutex.cas(1, 2, rlx, rlx);
      futex_wait();
      (ok, _) = mutex.cas(0, 2, acq, acq);
      if (ok) {
        break;
      }
    }
  }
}

fn unlock() {
  (fast, _) = mutex.cas(1, 0, rel, rlx);
  if (!fast) {
    mutex.store(0, rel);
    wakeups.fetch_add(1, rel);
  }
}

thread t[2] {
  lock();
  data.store(self, na);
  r = data.load(na);
  assert(r == self);
  unlock();
}
