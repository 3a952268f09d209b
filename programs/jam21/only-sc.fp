//! title: Three volatile accesses in each of four threads
//! source: paper 004, appendix E, only-sc; the table has no row for it

atomic x, y;

thread one {
  x.store(1, sc);
  a = y.load(sc);
  x.store(2, sc);
}

thread two {
  a = y.load(sc);
  x.store(3, sc);
  b = x.load(sc);
}

thread three {
  x.store(4, sc);
  y.store(5, sc);
  a = x.load(sc);
}

thread four {
  x.store(6, sc);
  y.store(7, sc);
  a = y.load(sc);
}
