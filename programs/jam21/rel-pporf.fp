//! title: Load buffering with a release exchange in between
//! source: GenMC test suite, litmus/rel-pporf
//! expect-executions: rc11=3+0 jam21=3+0
//! note: The test suite runs this also with a release write instead of the exchange. The thesis ran the files without
//! note: options, which gives the exchange; the counts are the same.

atomic x, y, z;

thread t1 {
  a = x.load(rlx);
  z.exchange(1, rel);
  y.store(1, rel);
}

thread t2 {
  b = y.load(rlx);
  x.store(1, rlx);
}
