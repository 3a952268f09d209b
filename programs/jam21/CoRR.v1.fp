//! title: Read-read coherence (variant 1)
//! source: GenMC test suite, litmus/CoRR; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=6+0 jam21=6+0
//! note: As CoRR.fp, with the threads started in another order.

atomic x;

thread t2 {
  a = x.load(acq);
  b = x.load(acq);
}

thread t1 {
  x.store(1, rel);
  x.store(2, rel);
}
