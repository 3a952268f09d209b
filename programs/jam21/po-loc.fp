//! title: A read and a write of one location, against a data dependency
//! source: GenMC test suite, litmus/po-loc
//! expect-executions: rc11=3+0 jam21=3+0

atomic x, y;

thread t1 {
  r0 = y.load(rlx);
  fence(acqrel);
  r1 = x.load(rlx);
  x.store(1, rlx);
}

thread t2 {
  r2 = x.load(rlx);
  y.store(r2, rlx);
}
