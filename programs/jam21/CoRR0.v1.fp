//! title: One writer, two readers (variant 1)
//! source: GenMC test suite, litmus/CoRR0
//! expect-executions: rc11=4+0 jam21=4+0
//! note: As CoRR0.fp, with the threads started in another order.

atomic x;

thread t3 {
  r = x.load(acq);
}

thread t1 {
  x.store(1, rel);
}

thread t2 {
  r = x.load(acq);
}
