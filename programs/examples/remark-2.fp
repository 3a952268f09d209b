//! title: Three threads whose weak outcome differs from SC only in a read that nothing uses
//! source: Margalit and Lahav, POPL 2021, Remark 2
//! expect: ra=not-robust rc20=not-robust rc20-observational=not-robust rc11=not-robust
//! note: The outcome a = 1, b = 0, c = 0 has a cycle: x written, z read as 0 (fr), z and y written, y read as 1 (rf),
//! note: x read as 0 (fr). Both fr edges come from reads that an assertion depends on: not observationally robust.
//! note: Nothing depends on a, and with a = 0 the graph would be SC-consistent: being observationally equivalent to
//! note: an SC graph is weaker than Def. 4.9. The layout is reconstructed: it has the instructions, the outcome and
//! note: the cycle that the paper names.

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
