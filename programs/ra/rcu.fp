//! title: User-level RCU by quiescent states: one writer, three readers
//! source: M. Desnoyers, P. E. McKenney, A. S. Stern, M. R. Dagenais, J. Walpole, "User-level implementations of read-copy update", IEEE TPDS 23(2), 2012
//! source: As a small program in O. Lahav and V. Vafeiadis, "Owicki-Gries reasoning for weak memory models", ICALP 2015
//! expect: ra=robust
//! note: The writer replaces one of two versions by the other, for ever, and frees the old one after a grace period. The version a reader uses must not be freed.
//! note: The writer waits for each reader with a blocking wait, which the paper calls essential here: a loop of loads could read a stale epoch, to no harm.
//! note: One bit of the grace period counter is enough, because the writer goes on only when every reader has acknowledged its last value.

const READERS = 3;

atomic current: bool;
atomic epoch: bool;
atomic acknowledged[READERS]: bool;
nonatomic allocated[2]: bool = {1, 0};

thread writer {
  new = 0;
  loop {
    new = 1 - new;
    allocated[new].store(1, na);
    current.store(new, rel);
    epoch.store(new, rel);
    reader = 0;
    while (reader < READERS) {
      wait(acknowledged[reader] == new, acq);
      reader = reader + 1;
    }
    allocated[1 - new].store(0, na);
  }
}

thread reader[READERS] {
  loop {
    version = current.load(acq);
    alive = allocated[version].load(na);
    assert(alive);
    now = epoch.load(acq);
    acknowledged[self].store(now, rel);
  }
}
