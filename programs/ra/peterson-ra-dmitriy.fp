//! title: Peterson's algorithm with an exchange on turn
//! source: D. V'jukov, in A. Williams, "Peterson's lock with C++0x atomics", Just Software Solutions blog, 2008
//! expect: ra=robust
//! note: V'jukov's relaxed accesses (the store to flag, the load of turn) are release and acquire here, because RA has no weaker ones.

atomic flag[2]: bool;
atomic turn: bool;
nonatomic inside: bool;

thread process[2] {
  loop {
    flag[self].store(1, rel);
    turn.exchange(1 - self, acqrel);
    loop {
      other = flag[1 - self].load(acq);
      if (other == 0) {
        break;
      }
      whose = turn.load(acq);
      if (whose == self) {
        break;
      }
    }
    inside.store(self, na);
    who = inside.load(na);
    assert(who == self);
    flag[self].store(0, rel);
  }
}
