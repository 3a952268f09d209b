//! title: One writer, two readers
//! source: GenMC test suite, litmus/CoRR0
//! expect-executions: rc11=4+0 jam21=4+0

atomic x;

thread t1 {
  x.store(1, rel);
}

thread t2 {
  r = x.load(acq);
}

thread t3 {
  r = x.load(acq);
}
