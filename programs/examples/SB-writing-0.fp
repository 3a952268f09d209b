//! title: Store buffering that writes the initial value
//! source: O. Lahav and R. Margalit, "Robustness against release/acquire semantics", PLDI 2019, section 4
//! expect: ra=not-robust rc20=not-robust rc20-observational=robust rc11=not-robust
//! note: As SB, but both writes store 0 again. No state tells the weak execution from the others (state robust), but its graph does:
//! note: each read reads from the initial write although the other thread's write must come first (section 4).
//! note: Nothing depends on the reads, so it is observationally robust.

atomic x: bool, y: bool;

thread left {
  x.store(0, rel);
  a = y.load(acq);
}

thread right {
  y.store(0, rel);
  b = x.load(acq);
}
