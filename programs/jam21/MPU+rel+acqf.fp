//! title: Message passing through an RMW: a release write, an acquire fence
//! source: GenMC test suite, litmus/MPU+rel+acqf
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
  r = y.load(rlx);
  if (r > 1) {
    fence(acq);
    x.store(2, na);
  }
}
