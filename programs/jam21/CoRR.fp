//! title: Read-read coherence
//! source: GenMC test suite, litmus/CoRR; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=6+0 jam21=6+0

atomic x;

thread t1 {
  x.store(1, rel);
  x.store(2, rel);
}

thread t2 {
  a = x.load(acq);
  b = x.load(acq);
}
