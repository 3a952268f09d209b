//! title: Message passing
//! source: Lahav and Margalit, PLDI 2019, Ex. 3.2
//! expect: ra=robust rc20=robust rc20-observational=robust rc11=robust
//! note: Whoever reads y = 1 synchronises with its writer and must read x = 1. The program is robust (section 4.3),
//! note: although after left has run right may still read y = 0: that read could also have come first.

atomic x: bool, y: bool;

thread left {
  x.store(1, rel);
  y.store(1, rel);
}

thread right {
  a = y.load(acq);
  b = x.load(acq);
}
