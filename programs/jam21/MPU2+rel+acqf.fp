//! title: Message passing through two CAS: a release write, an acquire fence
//! source: GenMC test suite, litmus/MPU2+rel+acqf
//! expect-executions: rc11=14+0 jam21=14+0

nonatomic x;
atomic y;

thread t1 {
  x.store(1, na);
  y.store(1, rel);
}

thread t2 {
  y.cas(2, 3, rlx, rlx);
}

thread t3 {
  y.cas(1, 2, rlx, rlx);
}

thread t4 {
  r = y.load(rlx);
  if (r > 2) {
    fence(acq);
    x.store(2, na);
  }
}
