//! title: Message passing, release/acquire (variant 1)
//! source: GenMC test suite, litmus/MP; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=3+0 jam21=3+0
//! note: As MP.fp, with the threads started in another order.

atomic x, y;

thread t2 {
  a = y.load(acq);
  b = x.load(acq);
}

thread t1 {
  x.store(1, rel);
  y.store(1, rel);
}
