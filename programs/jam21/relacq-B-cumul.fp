//! title: A release/acquire pair, passed on by relaxed accesses
//! source: GenMC test suite, litmus/relacq-B-cumul
//! expect-executions: rc11=8+0 jam21=8+0

atomic x, y, z;

thread t1 {
  x.store(1, rlx);
  y.store(1, rel);
}

thread t2 {
  r1 = y.load(acq);
  z.store(1, rlx);
}

thread t3 {
  r2 = z.load(rlx);
  fence(acqrel);
  r3 = x.load(rlx);
}
