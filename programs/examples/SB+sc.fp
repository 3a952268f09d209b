//! title: Store buffering with SC accesses
//! source: O. Lahav et al., "Repairing sequential consistency in C/C++11", PLDI 2017
//! expect: rc11=robust
//! note: Reading 0 twice is a psc cycle: po and fr between SC accesses.

atomic x: bool, y: bool;

thread left {
  x.store(1, sc);
  a = y.load(sc);
}

thread right {
  y.store(1, sc);
  b = x.load(sc);
}
