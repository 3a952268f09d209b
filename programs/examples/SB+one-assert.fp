//! title: Store buffering, one read used
//! source: Margalit and Lahav, POPL 2021, Ex. 4.19 (reconstructed from the text)
//! expect: ra=not-robust rc20=not-robust rc20-observational=not-robust rc11=not-robust
//! note: Observationally robust by Def. 4.9: in the execution that reads 0 twice, nothing depends on a, so the fr
//! note: edge from it does not count, and there is no cycle. Yet there is a witness (Def. 4.14): after left has run,
//! note: right's read of x could have been stale, and the assertion depends on it. The paper's method reports the
//! note: witness: it is sound and, here, imprecise. The expected verdict is what the method answers.

atomic x: bool, y: bool;

thread left {
  x.store(1, rel);
  a = y.load(acq);
}

thread right {
  y.store(1, rel);
  b = x.load(acq);
  assert(b == b);
}
