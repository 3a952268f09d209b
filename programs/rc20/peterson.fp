//! title: Peterson's lock with C++0x atomics
//! source: D. V'jukov; A. Williams, "Peterson's lock with C++0x atomics", 2008; Margalit and Lahav, POPL 2021, section 7
//! expect: rc20=data-race rc20-observational=data-race
//! note: V'jukov's version: relaxed writes of the flags, an acquire-release exchange of turn, acquire reads of the
//! note: other flag, and a relaxed read of turn. A thread that enters because it read its own turn has read the
//! note: other's flag from a relaxed write and turn by a relaxed read: nothing orders it after the other's previous
//! note: critical section (section 7). The accesses of the lock itself are robust; what goes wrong is a race between
//! note: two critical sections.

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
      whose = turn.load(rlx);
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
