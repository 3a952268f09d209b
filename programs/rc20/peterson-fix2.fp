//! title: Peterson's lock with C++0x atomics, with an acquire fence
//! source: D. V'jukov; A. Williams, "Peterson's lock with C++0x atomics", 2008; Margalit and Lahav, POPL 2021, section 7
//! expect: rc20=robust rc20-observational=robust
//! note: As peterson.fp, with the second repair of section 7: an acquire fence before the critical section, after
//! note: which the acquire read of the other flag can be relaxed.

atomic flag[2]: bool;
atomic turn: bool;
nonatomic inside: bool;

thread process[2] {
  loop {
    flag[self].store(1, rlx);
    turn.exchange(1 - self, acqrel);
    loop {
      other = flag[1 - self].load(rlx);
      if (other == 0) {
        break;
      }
      whose = turn.load(rlx);
      if (whose == self) {
        break;
      }
    }
    fence(acq);
    inside.store(self, na);
    who = inside.load(na);
    assert(who == self);
    flag[self].store(0, rel);
  }
}
