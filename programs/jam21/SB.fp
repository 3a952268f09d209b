//! title: Store buffering, release/acquire
//! source: GenMC test suite, litmus/SB; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=4+0 jam21=4+0

atomic x, y;

thread t1 {
  x.store(1, rel);
  r = y.load(acq);
}

thread t2 {
  y.store(1, rel);
  r = x.load(acq);
}
