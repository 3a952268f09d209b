//! title: Store buffering
//! source: Lahav and Margalit, PLDI 2019, Ex. 3.1
//! expect: ra=not-robust rc20=not-robust rc20-observational=robust rc11=not-robust
//! note: Both reads may return 0 under RA, RC20 and RC11; under SC the second thread to write reads the other's 1.
//! note: Nothing depends on what is read, so the program is observationally robust (Def. 4.9 of the POPL 2021 paper).

atomic x: bool, y: bool;

thread left {
  x.store(1, rel);
  a = y.load(acq);
}

thread right {
  y.store(1, rel);
  b = x.load(acq);
}
