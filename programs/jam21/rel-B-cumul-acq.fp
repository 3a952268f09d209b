//! title: A release write, passed on by relaxed accesses, and an acquire read beside
//! source: GenMC test suite, litmus/rel-B-cumul-acq
//! expect-executions: rc11=16+0 jam21=16+0

atomic x, y, z;

thread t1 {
  x.store(1, rlx);
  y.store(1, rel);
}

thread t2 {
  r1 = y.load(rlx);
  z.store(r1, rlx);
}

thread t3 {
  r2 = z.load(rlx);
  fence(acqrel);
  r3 = x.load(rlx);
}

thread t4 {
  r4 = y.load(acq);
}
