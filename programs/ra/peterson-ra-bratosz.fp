//! title: Peterson's algorithm with an exchange on the own flag
//! source: B. Milewski, "C++ atomics and memory ordering", 2008; discussed in A. Williams, "Peterson's lock with C++0x atomics", 2008
//! expect: ra=not-robust
//! note: Spelled as in the table. Milewski's lock names the thread that yields: victim is the own number, where Peterson's turn is the other's.
//! note: An exchange on a flag that only its own thread writes orders nothing between the threads.

atomic interested[2]: bool;
atomic victim: bool;
nonatomic inside: bool;

thread process[2] {
  loop {
    interested[self].exchange(1, acqrel);
    victim.store(self, rel);
    loop {
      other = interested[1 - self].load(acq);
      if (other == 0) {
        break;
      }
      yielding = victim.load(acq);
      if (yielding != self) {
        break;
      }
    }
    inside.store(self, na);
    who = inside.load(na);
    assert(who == self);
    interested[self].store(0, rel);
  }
}
