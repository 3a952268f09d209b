//! title: A CAS whose expected value was read
//! source: GenMC test suite, litmus/casdep
//! expect-executions: rc11=2+0 jam21=2+0
//! note: The original writes to z what the CAS leaves in its expected value, which is the value read either way.

atomic x, y, z;

thread t1 {
  a = x.load(rlx);
  b = y.cas(a, 1, rlx, rlx);
  z.store(b, rlx);
}

thread t2 {
  y.store(2, rlx);
}
