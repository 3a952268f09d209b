//! title: Store buffering with RMWs on two locations
//! source: Lahav and Margalit, PLDI 2019, Ex. 3.6
//! expect: ra=not-robust rc20=not-robust rc20-observational=robust rc11=not-robust
//! note: "It is crucial to use the same location in both": neither RMW reads from the other, so they order nothing.
//! note: Nothing depends on what is read, so it is observationally robust.

atomic x: bool, y: bool;
atomic f: bool, g: bool;

thread left {
  x.store(1, rel);
  f.fetch_add(0, acqrel);
  a = y.load(acq);
}

thread right {
  y.store(1, rel);
  g.fetch_add(0, acqrel);
  b = x.load(acq);
}
