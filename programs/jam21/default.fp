//! title: Two reads against two writers
//! source: GenMC test suite, litmus/default
//! expect-executions: rc11=12+0 jam21=12+0

atomic x;

thread t1 {
  a = x.load(acq);
  b = x.load(acq);
}

thread t2 {
  x.store(1, rel);
}

thread t3 {
  x.store(2, rel);
}
