//! title: Two increments that depend on a read, against a third
//! source: GenMC test suite, litmus/RMWFix
//! expect-executions: rc11=4+0 jam21=4+0

atomic x, y;

thread t1 {
  r = y.load(sc);
  if (r) {
    x.fetch_add(1, sc);
    x.fetch_add(1, sc);
  }
}

thread t2 {
  x.fetch_add(1, sc);
}

thread t3 {
  y.store(42, sc);
}
