//! title: Two compare-and-swaps from one value
//! source: Lahav and Margalit, PLDI 2019, Ex. 3.5
//! expect: ra=robust rc20=robust rc20-observational=robust rc11=robust
//! note: Two RMWs never read from one write, so only one of them succeeds, as under SC; the other one fails and reads
//! note: 1.

atomic x: bool;

thread left {
  a = x.cas(0, 1, acqrel);
}

thread right {
  b = x.cas(0, 1, acqrel);
}
