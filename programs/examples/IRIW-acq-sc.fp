//! title: Independent reads of independent writes, the first reads acquire
//! source: O. Lahav et al., "Repairing sequential consistency in C/C++11", PLDI 2017, IRIW-acq-sc
//! expect: rc11=not-robust
//! note: Each reader reads its first location with acquire and the second with SC. The path from an SC write by rf to
//! note: the acquire read and by po to the SC read is hb, but it stays neither on one location nor between two po
//! note: edges, so it is not in psc (scb): the readers may disagree. C11 forbade this; compilation to POWER does not.

atomic x: bool, y: bool;

thread writer_x {
  x.store(1, sc);
}

thread reader_xy {
  a = x.load(acq);
  b = y.load(sc);
}

thread reader_yx {
  c = y.load(acq);
  d = x.load(sc);
}

thread writer_y {
  y.store(1, sc);
}
