//! title: Message passing twice through one fence
//! source: GenMC test suite, litmus/MP2
//! expect-executions: rc11=9+0 jam21=9+0

atomic a, b, c, d;

thread t1 {
  a.store(1, rlx);
  c.store(1, rlx);
  fence(acqrel);
  b.store(1, rlx);
  d.store(1, rlx);
}

thread t2 {
  r1 = b.load(rlx);
  fence(acqrel);
  r2 = a.load(rlx);
}

thread t3 {
  r1 = d.load(rlx);
  fence(acqrel);
  r2 = c.load(rlx);
}
