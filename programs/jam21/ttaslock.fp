//! title: A test-and-test-and-set lock: two threads
//! source: GenMC test suite, data-structures/ttaslock
//! expect-executions: rc11=4+3 jam21=4+3
//! note: An exchange that finds the lock held writes what was there. The tool takes such a round for one that changes
//! note: nothing and cuts it off; so does the assumption here.

atomic lock: bool;
nonatomic data;

fn acquire() {
  held = lock.load(rlx);
  assume(held == 0);
  before = lock.exchange(1, acq);
  assume(before == 0);
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
