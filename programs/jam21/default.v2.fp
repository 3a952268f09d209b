//! title: Two reads against two writers (variant 2)
//! source: GenMC test suite, litmus/default
//! expect-executions: rc11=12+0 jam21=12+0
//! note: As default.fp, with the threads started in another order.

atomic x;

thread t3 {
  x.store(2, rel);
}

thread t1 {
  a = x.load(acq);
  b = x.load(acq);
}

thread t2 {
  x.store(1, rel);
}
