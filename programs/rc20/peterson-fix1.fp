//! title: Peterson's lock with C++0x atomics, turn read with acquire
//! source: D. V'jukov; A. Williams, "Peterson's lock with C++0x atomics", 2008; Margalit and Lahav, POPL 2021, section 7
//! expect: rc20=robust rc20-observational=robust
//! note: As peterson.fp, with the first repair of section 7: the relaxed read of turn becomes acquire. Whoever enters
//! note: because of turn now synchronises with the exchange of the other thread, which follows its critical section.

atomic flag[2]: bool;
atomic turn: bool;
nonatomic inside: bool;

thread process[2] {
  loop {
    flag[self].store(1, rlx);
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
