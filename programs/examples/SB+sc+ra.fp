//! title: Store buffering, SC accesses in one thread only
//! source: O. Lahav et al., "Repairing sequential consistency in C/C++11", PLDI 2017
//! expect: rc11=not-robust
//! note: The release write and the acquire read of right are not in psc, so nothing forbids that both read 0.

atomic x: bool, y: bool;

thread left {
  x.store(1, sc);
  a = y.load(sc);
}

thread right {
  y.store(1, rel);
  b = x.load(acq);
}
