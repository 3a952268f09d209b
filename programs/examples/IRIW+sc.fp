//! title: Independent reads of independent writes, SC accesses
//! source: O. Lahav et al., "Repairing sequential consistency in C/C++11", PLDI 2017
//! expect: rc11=robust
//! note: With SC accesses only, psc is the order of SC: the readers cannot disagree.

atomic x: bool, y: bool;

thread writer_x {
  x.store(1, sc);
}

thread reader_xy {
  a = x.load(sc);
  b = y.load(sc);
}

thread reader_yx {
  c = y.load(sc);
  d = x.load(sc);
}

thread writer_y {
  y.store(1, sc);
}
