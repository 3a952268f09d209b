//! title: Two locations, each with one writer and one reader (variant 2)
//! source: GenMC test suite, litmus/2CoWR
//! expect-executions: rc11=4+0 jam21=4+0
//! note: As 2CoWR.fp, with the threads started in another order.

atomic x, y;

thread t2 {
  r = x.load(acq);
}

thread t3 {
  x.store(1, rel);
}

thread t4 {
  y.store(1, rel);
}

thread t1 {
  r = y.load(acq);
}
