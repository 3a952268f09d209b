//! title: Read-write coherence (variant 1)
//! source: GenMC test suite, litmus/CoRW; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=3+0 jam21=3+0
//! note: As CoRW.fp, with the threads started in another order.

atomic x;

thread t2 {
  x.store(2, rel);
}

thread t1 {
  r = x.load(acq);
  x.store(1, rel);
}
