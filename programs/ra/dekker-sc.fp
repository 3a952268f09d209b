//! title: Dekker's mutual exclusion algorithm
//! source: T. J. Dekker; in E. W. Dijkstra, "Cooperating sequential processes" (EWD 123), 1965
//! expect: ra=not-robust
//! note: As published for sequential consistency, with release stores and acquire loads.

atomic wants[2]: bool;
atomic turn: bool;
nonatomic inside: bool;

thread process[2] {
  loop {
    wants[self].store(1, rel);
    loop {
      other = wants[1 - self].load(acq);
      if (other == 0) {
        break;
      }
      whose = turn.load(acq);
      if (whose != self) {
        wants[self].store(0, rel);
        loop {
          whose = turn.load(acq);
          if (whose == self) {
            break;
          }
        }
        wants[self].store(1, rel);
      }
    }
    inside.store(self, na);
    who = inside.load(na);
    assert(who == self);
    turn.store(1 - self, rel);
    wants[self].store(0, rel);
  }
}
