//! title: Store buffering, SC fences
//! source: GenMC test suite, litmus/SB+scfs; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=3+0 jam21=3+0

atomic x, y;

thread t1 {
  x.store(1, rlx);
  fence(sc);
  r = y.load(rlx);
}

thread t2 {
  y.store(1, rlx);
  fence(sc);
  r = x.load(rlx);
}
