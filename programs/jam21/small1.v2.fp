//! title: Three reads against two writers (variant 2)
//! source: GenMC test suite, litmus/small1
//! expect-executions: rc11=8+0 jam21=8+0
//! note: As small1.fp, with the threads started in another order.

atomic x, y, z;

thread t3 {
  y.store(1, rel);
  z.store(1, rel);
}

thread t1 {
  a = y.load(acq);
  b = z.load(acq);
  c = x.load(acq);
}

thread t2 {
  x.store(1, rel);
}
