//! title: Load buffering of three threads
//! source: GenMC test suite, litmus/LB3; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=7+0 jam21=7+0

atomic a, b, c;

thread t1 {
  r1 = a.load(rlx);
  b.store(1, rlx);
}

thread t2 {
  r1 = b.load(rlx);
  c.store(1, rlx);
}

thread t3 {
  r1 = c.load(rlx);
  a.store(1, rlx);
}
