//! title: S, relaxed
//! source: GenMC test suite, litmus/S; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=4+0 jam21=4+0

atomic x, y;

thread t1 {
  x.store(2, rlx);
  y.store(1, rlx);
}

thread t2 {
  r = y.load(rlx);
  x.store(1, rlx);
}
