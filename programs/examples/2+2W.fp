//! title: Two threads that write two locations in opposite orders
//! source: Lahav and Margalit, PLDI 2019, Ex. 3.4
//! expect: ra=not-robust rc20=not-robust rc20-observational=not-robust rc11=not-robust
//! note: Each thread's first write may be placed after the other's second one in modification order, and both then
//! note: read 1: a cycle of po and mo. Modification order counts for observational robustness too (section 4.1 of the
//! note: POPL 2021 paper).

atomic x: 0..2, y: 0..2;

thread left {
  x.store(1, rel);
  y.store(2, rel);
  a = y.load(acq);
}

thread right {
  y.store(1, rel);
  x.store(2, rel);
  b = x.load(acq);
}
