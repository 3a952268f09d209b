//! title: Message passing through two CAS: a release fence, an acquire read
//! source: GenMC test suite, litmus/MPU2+relf+acq
//! expect-executions: rc11=14+0 jam21=14+0

nonatomic x;
atomic y;

thread t1 {
  x.store(1, na);
  fence(rel);
  y.store(1, rlx);
}

thread t2 {
  y.cas(2, 3, rlx, rlx);
}

thread t3 {
  y.cas(1, 2, rlx, rlx);
}

thread t4 {
  r = y.load(acq);
  if (r > 2) {
    x.store(2, na);
  }
}
