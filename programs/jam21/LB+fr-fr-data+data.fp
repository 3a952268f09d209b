//! title: Load buffering with data dependencies and a second writer
//! source: GenMC test suite, litmus/LB+fr-fr-data+data
//! expect-executions: rc11=18+0 jam21=18+0

atomic x, y;

thread t1 {
  r0 = x.load(rlx);
  y.store(1 + (r0 ^ r0), rlx);
}

thread t2 {
  r0 = y.load(rlx);
  r1 = y.load(rlx);
  x.store(1 + (r1 ^ r1), rlx);
}

thread t3 {
  y.store(2, rlx);
}
