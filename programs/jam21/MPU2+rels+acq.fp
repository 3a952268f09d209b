//! title: Message passing through two CAS: a release write before a relaxed one, an acquire read
//! source: GenMC test suite, litmus/MPU2+rels+acq
//! expect-executions: rc11=35+0 jam21=35+0
//! note: RC11 as published in 2017 lets a later write of the same thread continue the release sequence of y.store(0,
//! note: rel); RC11 here, like C++20, does not, so the accesses of x race and there is one more execution.

nonatomic x;
atomic y;

thread t1 {
  x.store(1, na);
  y.store(0, rel);
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
