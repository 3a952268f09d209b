//! title: SC accesses mixed with release and RMW
//! source: O. Lahav et al., "Repairing sequential consistency in C/C++11", PLDI 2017, Z6.U
//! expect: rc11=not-robust
//! note: a = 1, b = 3, c = 0. From the SC write of x, po and rf lead to the RMW of y, mo to the SC write of y, po to
//! note: the SC read of x, and fr back. But hb from x to the RMW ends in an rf edge on y and not in po, so the first
//! note: step is not in psc: RC11 allows what every interleaving excludes. C11 forbade it.

atomic x: bool;
atomic y: 0..3;

thread left {
  x.store(1, sc);
  y.store(1, rel);
}

thread middle {
  a = y.fetch_add(1, sc);
  b = y.load(rlx);
}

thread right {
  y.store(3, sc);
  c = x.load(sc);
}
