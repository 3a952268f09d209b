//! title: Load buffering, acquire reads
//! source: GenMC test suite, litmus/LB+acq; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=3+0 jam21=3+0

atomic x, y;

thread t1 {
  r = x.load(acq);
  y.store(1, rlx);
}

thread t2 {
  r = y.load(acq);
  x.store(1, rlx);
}
