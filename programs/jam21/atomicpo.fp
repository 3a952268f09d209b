//! title: Two exchanges against two writes and a fence
//! source: GenMC test suite, litmus/atomicpo
//! expect-executions: rc11=4+0 jam21=4+0

atomic x, y;

thread t1 {
  y.store(1, rlx);
  fence(acqrel);
  x.store(1, rlx);
}

thread t2 {
  r1 = x.exchange(1, rlx);
  r2 = y.exchange(1, rlx);
}
