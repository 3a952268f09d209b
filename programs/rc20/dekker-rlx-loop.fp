//! title: Dekker's algorithm with C++0x fences, entered again and again
//! source: A. Williams, "Implementing Dekker's algorithm with fences", 2010
//! expect: rc20=not-robust rc20-observational=not-robust
//! note: As dekker-rlx.fp, in a loop. Not a row of the paper's table. One thread leaves (turn, flag down) and raises
//! note: its flag again; the other reads the raised flag and then the old turn: message passing without an acquire
//! note: between the two relaxed reads. This execution costs the reader only another round.

atomic flag[2]: bool;
atomic turn: bool;
nonatomic inside: bool;

thread process[2] {
  loop {
    flag[self].store(1, rlx);
    fence(sc);
    loop {
      other = flag[1 - self].load(rlx);
      if (other == 0) {
        break;
      }
      whose = turn.load(rlx);
      if (whose != self) {
        flag[self].store(0, rlx);
        wait(turn == self, rlx);
        flag[self].store(1, rlx);
        fence(sc);
      }
    }
    fence(acq);
    inside.store(self, na);
    who = inside.load(na);
    assert(who == self);
    turn.store(1 - self, rlx);
    fence(rel);
    flag[self].store(0, rlx);
  }
}
