//! title: Z6.U: an SC increment between a release write and an SC write
//! source: GenMC test suite, litmus/Z6.U; Lahav et al., PLDI 2017
//! expect-executions: rc11=24+0 jam21=24+0

atomic x, y;

thread t1 {
  x.store(1, sc);
  y.store(1, rel);
}

thread t2 {
  a = y.fetch_add(1, sc);
  b = y.load(rlx);
}

thread t3 {
  y.store(3, sc);
  c = x.load(sc);
}
