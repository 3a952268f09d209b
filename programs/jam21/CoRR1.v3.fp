//! title: Two writers, two reads in one thread and one in another (variant 3)
//! source: GenMC test suite, litmus/CoRR1
//! expect-executions: rc11=36+0 jam21=36+0
//! note: As CoRR1.fp, with the threads started in another order.

atomic x;

thread t3 {
  a = x.load(acq);
  b = x.load(acq);
}

thread t4 {
  r = x.load(acq);
}

thread t1 {
  x.store(1, rel);
}

thread t2 {
  x.store(2, rel);
}
