//! title: Peterson's mutual exclusion algorithm, with one fence a thread
//! source: G. L. Peterson, "Myths about the mutual exclusion problem", Information Processing Letters 12(3), 1981
//! expect: ra=not-robust
//! note: The fence between the write of turn and the read of the other flag is what TSO needs; under RA the two writes of turn are still unordered.

atomic flag[2]: bool;
atomic turn: bool;
nonatomic inside: bool;

thread process[2] {
  loop {
    flag[self].store(1, rel);
    turn.store(1 - self, rel);
    fence(sc);
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
