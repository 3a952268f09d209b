//! title: Peterson's mutual exclusion algorithm, with two fences a thread
//! source: G. L. Peterson, "Myths about the mutual exclusion problem", Information Processing Letters 12(3), 1981
//! expect: ra=robust
//! note: The further fence between the two writes makes whoever writes turn second know of the first write.

atomic flag[2]: bool;
atomic turn: bool;
nonatomic inside: bool;

thread process[2] {
  loop {
    flag[self].store(1, rel);
    fence(sc);
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
