//! title: Spinlock with an atomic exchange
//! source: H. Bahmann and T. Blechmann, Boost.Atomic usage examples (Spinlock), 2012
//! expect: rc20=robust rc20-observational=robust
//! note: The loop around the exchange is kept: a failed attempt writes "locked" over "locked", as in the original.

const UNLOCKED = 0;
const LOCKED = 1;

atomic state: bool;
nonatomic inside: bool;

thread process[2] {
  loop {
    loop {
      before = state.exchange(LOCKED, acq);
      if (before == UNLOCKED) {
        break;
      }
    }
    inside.store(self, na);
    who = inside.load(na);
    assert(who == self);
    state.store(UNLOCKED, rel);
  }
}
