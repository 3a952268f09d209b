//! title: Two writers, two threads of two reads (variant 1)
//! source: GenMC test suite, litmus/CoRR2; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=72+0 jam21=72+0
//! note: As CoRR2.fp, with the threads started in another order.

atomic x;

thread t4 {
  a = x.load(acq);
  b = x.load(acq);
}

thread t3 {
  a = x.load(acq);
  b = x.load(acq);
}

thread t2 {
  x.store(2, rel);
}

thread t1 {
  x.store(1, rel);
}
