//! title: Load buffering, release/acquire (variant 1)
//! source: GenMC test suite, litmus/LB; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=3+0 jam21=3+0
//! note: As LB.fp, with the threads started in another order.

atomic x, y;

thread t2 {
  r = x.load(acq);
  y.store(1, rel);
}

thread t1 {
  r = y.load(acq);
  x.store(1, rel);
}
