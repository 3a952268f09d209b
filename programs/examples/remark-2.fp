//! title: Three threads whose weak outcome differs from SC only in a read that nothing uses
//! source: R. Margalit and O. Lahav, "Verifying observational robustness against a C11-style memory model", POPL 2021, Remark 2
//! expect: ra=not-robust rc20=not-robust rc20-observational=not-robust rc11=not-robust
//! note: The outcome a = 1, b = 0, c = 0 has a cycle: x written, z read as 0 (fr), z and y written, y read as 1 (rf), x read as 0 (fr).
//! note: Both fr edges come from reads that an assertion depends on: not observationally robust. Nothing depends on a, and with
//! note: a = 0 the graph would be SC-consistent: being observationally equivalent to an SC graph is weaker than Def. 4.9.
//! note: The layout of the program is garbled in our copy; this one has the paper's instructions, outcome and cycle.

atomic x: bool, y: bool, z: bool;

thread left {
  x.store(1, rel);
  b = z.load(acq);
  assert(b == b);
}

thread middle {
  z.store(1, rel);
  y.store(1, rel);
}

thread right {
  a = y.load(acq);
  c = x.load(acq);
  assert(c == c);
}
