//! title: Message passing through an RMW: a release write, an acquire read
//! source: GenMC test suite, litmus/MPU+rel+acq
//! expect-executions: rc11=6+0 jam21=6+0

nonatomic x;
atomic y;

thread t1 {
  x.store(1, na);
  y.store(1, rel);
}

thread t2 {
  y.fetch_add(1, rlx);
}

thread t3 {
  r = y.load(acq);
  if (r > 1) {
    x.store(2, na);
  }
}
