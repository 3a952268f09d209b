//! title: Two threads that write two locations in opposite orders, without reads
//! source: Lahav and Margalit, PLDI 2019, section 4
//! expect: ra=not-robust rc20=not-robust rc20-observational=not-robust rc11=not-robust
//! note: 2+2W without its final reads: "vacuously" state robust, but the graph with the cycle of po and mo remains.

atomic x: 0..2, y: 0..2;

thread left {
  x.store(1, rel);
  y.store(2, rel);
}

thread right {
  y.store(1, rel);
  x.store(2, rel);
}
