//! title: Load buffering, relaxed
//! source: GenMC test suite, litmus/LB2; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=3+0 jam21=3+0

atomic x, y;

thread t1 {
  r = x.load(rlx);
  y.store(1, rlx);
}

thread t2 {
  r = y.load(rlx);
  x.store(1, rlx);
}
