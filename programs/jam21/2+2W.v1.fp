//! title: 2+2W, release writes (variant 1)
//! source: GenMC test suite, litmus/2+2W; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=4+0 jam21=4+0
//! note: As 2+2W.fp, with the threads started in another order.

atomic x, y;

thread t2 {
  y.store(1, rel);
  x.store(2, rel);
}

thread t1 {
  x.store(1, rel);
  y.store(2, rel);
}
