//! title: Store buffering with an RMW in one thread
//! source: Lahav and Margalit, PLDI 2019, Ex. 3.6
//! expect: ra=not-robust rc20=not-robust rc20-observational=robust rc11=not-robust
//! note: "Unlike TSO, under RA a single barrier has no effect": there is no other RMW that it could be ordered with.
//! note: Nothing depends on what is read, so it is observationally robust.

atomic x: bool, y: bool;
atomic f: bool;

thread left {
  x.store(1, rel);
  f.fetch_add(0, acqrel);
  a = y.load(acq);
}

thread right {
  y.store(1, rel);
  b = x.load(acq);
}
