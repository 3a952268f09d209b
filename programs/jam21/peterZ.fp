//! title: Store buffering through a release/acquire pair, SC fences
//! source: GenMC test suite, litmus/peterZ
//! expect-executions: rc11=7+0 jam21=8+0
//! note: In the original, main first writes 0 to each location. Here that is the initial value: nobody could read an
//! note: older write, so no count changes.

atomic x, y, z;

thread t1 {
  x.store(1, rlx);
  fence(sc);
  r0 = y.load(rlx);
}

thread t2 {
  y.store(1, rlx);
  z.store(1, rel);
}

thread t3 {
  r0 = z.load(acq);
  fence(sc);
  r1 = x.load(rlx);
}
