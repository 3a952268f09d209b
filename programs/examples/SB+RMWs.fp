//! title: Store buffering with an RMW on one location between
//! source: Lahav and Margalit, PLDI 2019, Ex. 3.6
//! expect: ra=robust rc20=robust rc20-observational=robust rc11=robust
//! note: The RMWs on f act as fences: the later one reads from the earlier, synchronises with it, and so its thread
//! note: knows the other's write. This is how RA and RC20 encode SC fences.

atomic x: bool, y: bool;
atomic f: bool;

thread left {
  x.store(1, rel);
  f.fetch_add(0, acqrel);
  a = y.load(acq);
}

thread right {
  y.store(1, rel);
  f.fetch_add(0, acqrel);
  b = x.load(acq);
}
