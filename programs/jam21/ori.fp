//! title: An increment, a CAS, and a write that depends on a read
//! source: GenMC test suite, litmus/ori
//! expect-executions: rc11=5+0 jam21=5+0

atomic x, y;

thread t1 {
  x.fetch_add(1, rlx);
  y.store(1, rel);
}

thread t2 {
  x.cas(0, 1, acq, acq);
}

thread t3 {
  r = y.load(rlx);
  if (r) {
    x.store(4, rel);
  }
}
