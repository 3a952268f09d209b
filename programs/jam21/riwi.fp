//! title: Increments around message passing
//! source: GenMC test suite, litmus/riwi
//! expect-executions: rc11=3+0 jam21=3+0

atomic x, y;

thread t1 {
  r = y.load(rlx);
  x.fetch_add(1, rlx);
}

thread t2 {
  x.fetch_add(1, rlx);
  y.store(1, rel);
}
