//! title: A global barrier with blocking waits
//! source: Lahav and Margalit, PLDI 2019, section 2.3, program BAR on the right
//! expect: ra=robust rc20=robust rc20-observational=robust rc11=robust
//! note: A wait cannot read the stale 0, and 1 is the last value written: the benign violation of BAR-loops is
//! note: masked.

atomic x: bool, y: bool;

thread left {
  x.store(1, rel);
  wait(y == 1, acq);
}

thread right {
  y.store(1, rel);
  wait(x == 1, acq);
}
