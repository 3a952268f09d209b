//! title: Two locations, each with one writer and one reader (variant 5)
//! source: GenMC test suite, litmus/2CoWR
//! expect-executions: rc11=4+0 jam21=4+0
//! note: The same as 2CoWR.fp: the original has this order of threads twice.

atomic x, y;

thread t1 {
  r = y.load(acq);
}

thread t2 {
  r = x.load(acq);
}

thread t3 {
  x.store(1, rel);
}

thread t4 {
  y.store(1, rel);
}
