//! title: Somebody who does not hold the lock releases it, so nothing is exclusive
//! source: ours

atomic lock;
nonatomic owner;

thread worker[2] {
  loop {
    lock.bcas(0, 1, acq);
    owner.store(self + 1, na);
    o = owner.load(na);
    assert(o == self + 1);
    lock.store(0, rel);
  }
}

thread intruder {
  lock.store(0, rel);
}
