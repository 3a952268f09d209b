//! title: Dekker's algorithm with C++0x fences, entered once
//! source: A. Williams, "Implementing Dekker's algorithm with fences", 2010; Margalit and Lahav, POPL 2021, section 7
//! expect: rc20=robust rc20-observational=robust
//! note: Relaxed accesses, a sequentially consistent fence after each raise of a flag, an acquire fence before and a
//! note: release fence after the critical section. Each thread enters once, like p0 and p1 of the source, and the
//! note: busy loops are kept. Entered again and again it is not robust: see dekker-rlx-loop.fp.

atomic flag[2]: bool;
atomic turn: bool;
nonatomic inside: bool;

thread process[2] {
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
      loop {
        whose = turn.load(rlx);
        if (whose == self) {
          break;
        }
      }
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
