//! title: Dekker's algorithm with release/acquire accesses
//! source: T. J. Dekker; in E. W. Dijkstra, "Cooperating sequential processes" (EWD 123), 1965
//! expect: ra=robust rc20=robust rc20-observational=robust
//! note: A fence after each raise of a flag, before the other flag is read. The loop that waits for the turn is a
//! note: wait.

atomic flag[2]: bool;
atomic turn: bool;
nonatomic inside: bool;

thread process[2] {
  loop {
    flag[self].store(1, rel);
    fence(sc);
    loop {
      other = flag[1 - self].load(acq);
      if (other == 0) {
        break;
      }
      whose = turn.load(acq);
      if (whose != self) {
        flag[self].store(0, rel);
        wait(turn == self, acq);
        flag[self].store(1, rel);
        fence(sc);
      }
    }
    inside.store(self, na);
    who = inside.load(na);
    assert(who == self);
    turn.store(1 - self, rel);
    flag[self].store(0, rel);
  }
}
