//! title: Load buffering, release writes
//! source: GenMC test suite, litmus/LB+rel; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=3+0 jam21=3+0

atomic x, y;

thread t1 {
  r = x.load(rlx);
  y.store(1, rel);
}

thread t2 {
  r = y.load(rlx);
  x.store(1, rel);
}
