//! title: Nested store buffering
//! source: Margalit and Lahav, POPL 2021, Ex. 4.18 (reconstructed from the text)
//! expect: ra=not-robust rc20=not-robust rc20-observational=not-robust rc11=not-robust
//! note: b = d = 0 is possible under RC20 and not under SC, and both threads branch on it: not observationally
//! note: robust. In the witness left has run to its end. Right's read c is tainted, since it could have read 0; so it
//! note: must not make right aware of left's write of x, and d is tainted as well. Were c taken at its word, d could
//! note: not be stale, and no witness would be found.

atomic x: bool, y: bool, z: bool, w: bool;

thread left {
  x.store(1, rel);
  y.store(1, rel);
  a = w.load(acq);
  b = z.load(acq);
  if (b == 0) {
    saw_none = 1;
  }
}

thread right {
  z.store(1, rel);
  w.store(1, rel);
  c = y.load(acq);
  d = x.load(acq);
  if (d == 0) {
    saw_none = 1;
  }
}
