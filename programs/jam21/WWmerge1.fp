//! title: Two SC writes that might be merged
//! source: GenMC test suite, litmus/WWmerge1
//! expect-executions: rc11=18+0 jam21=18+0

atomic x, y;

thread t1 {
  a = x.load(acq);
  b = y.load(sc);
}

thread t2 {
  x.store(1, sc);
  x.store(2, sc);
}

thread t3 {
  y.store(1, sc);
  c = x.load(sc);
}
