//! title: Load buffering with data dependencies (variant 1)
//! source: GenMC test suite, litmus/LB+dep; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=3+0 jam21=3+0
//! note: As LB+dep.fp, with the threads started in another order.

atomic x, y;

thread t2 {
  r = y.load(rlx);
  x.store(r + 1, rlx);
}

thread t1 {
  r = x.load(rlx);
  y.store(r + 1, rlx);
}
