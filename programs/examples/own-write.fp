//! title: One thread reads its own write
//! source: Margalit and Lahav, POPL 2021, Ex. 2.5
//! expect: ra=robust rc20=robust rc20-observational=robust rc11=robust
//! note: A thread is aware of its own writes and must read 1: robust, and the assertion holds.

atomic x: 0..4;

thread only {
  x.store(1, rel);
  a = x.load(acq);
  assert(a == 1);
}
