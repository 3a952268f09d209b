//! title: Store buffering with vacuous assertions
//! source: Margalit and Lahav, POPL 2021, Lemma 4.20
//! expect: ra=not-robust rc20=not-robust rc20-observational=not-robust rc11=not-robust
//! note: SB with assert(r == r) after each read: each read now has a dependency, and observational robustness is
//! note: robustness. Reading 0 twice is a cycle of po and of fr edges from reads that something depends on.

atomic x: bool, y: bool;

thread left {
  x.store(1, rel);
  a = y.load(acq);
  assert(a == a);
}

thread right {
  y.store(1, rel);
  b = x.load(acq);
  assert(b == b);
}
