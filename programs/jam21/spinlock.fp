//! title: A spinlock by CAS: two threads
//! source: GenMC test suite, data-structures/spinlock
//! expect-executions: rc11=4+2 jam21=4+2
//! note: A round that does not get the lock changes nothing and is cut off.

atomic lock: bool;
nonatomic data;

fn acquire() {
  held = lock.load(rlx);
  assume(held == 0);
  (ok, _) = lock.cas(0, 1, acq, acq);
  assume(ok);
}

fn release() {
  lock.store(0, rel);
}

thread t[2] {
  acquire();
  data.store(self, na);
  r = data.load(na);
  assert(r == self);
  release();
}
