//! title: Three relaxed accesses in each of four threads
//! source: paper 004, appendix E, only-rlx; the table has no row for it

atomic x, y;

thread one {
  x.store(1, rlx);
  a = y.load(rlx);
  x.store(2, rlx);
}

thread two {
  a = y.load(rlx);
  x.store(3, rlx);
  b = x.load(rlx);
}

thread three {
  x.store(4, rlx);
  y.store(5, rlx);
  a = x.load(rlx);
}

thread four {
  x.store(6, rlx);
  y.store(7, rlx);
  a = y.load(rlx);
}
