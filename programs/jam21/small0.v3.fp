//! title: A reader, a reader that writes, and a writer (variant 3)
//! source: GenMC test suite, litmus/small0
//! expect-executions: rc11=9+0 jam21=9+0
//! note: As small0.fp, with the threads started in another order.

atomic x;

thread t2 {
  r = x.load(acq);
  x.store(1, rel);
}

thread t3 {
  x.store(2, rel);
}

thread t1 {
  r = x.load(acq);
}
