//! title: A release sequence with an exchange
//! source: GenMC test suite, litmus/relseq
//! expect-executions: rc11=16+0 jam21=16+0
//! note: RC11 as published in 2017 lets a later write of the same thread continue a release sequence; RC11 here, like
//! note: C++20, does not, so the third thread may also read y = 2, or a 3 that replaced it, and x = 0: four more
//! note: executions.

atomic x, y;

thread t1 {
  x.store(1, rlx);
  y.store(1, rel);
  y.store(2, rlx);
}

thread t2 {
  y.exchange(3, rlx);
}

thread t3 {
  a = y.load(rlx);
  fence(acqrel);
  b = x.load(rlx);
}
