//! title: Independent reads, one write depending on the other
//! source: GenMC test suite, litmus/IRIWish
//! expect-executions: rc11=28+0 jam21=28+0

atomic x, y;

thread t1 {
  x.store(1, rlx);
}

thread t2 {
  r1 = x.load(rlx);
  y.store(r1, rel);
}

thread t3 {
  r1 = x.load(rlx);
  fence(acqrel);
  r2 = y.load(rlx);
}

thread t4 {
  r1 = y.load(rlx);
  fence(acqrel);
  r2 = x.load(rlx);
}
