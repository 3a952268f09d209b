//! title: Store buffering that writes the initial value
//! source: Lahav and Margalit, PLDI 2019, section 4
//! expect: ra=not-robust rc20=not-robust rc20-observational=robust rc11=not-robust
//! note: As SB, but both writes store 0 again. No state tells the weak execution from the others (state robust), but
//! note: its graph does: each read reads from the initial write although the other thread's write must come first
//! note: (section 4). Nothing depends on the reads, so it is observationally robust.

atomic x: bool, y: bool;

thread left {
  x.store(0, rel);
  a = y.load(acq);
}

thread right {
  y.store(0, rel);
  b = x.load(acq);
}
