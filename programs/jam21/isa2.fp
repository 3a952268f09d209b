//! title: ISA2: message passing through a third thread
//! source: GenMC test suite, litmus/isa2; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=7+0 jam21=7+0

atomic a, b, c;

thread t1 {
  a.store(1, rlx);
  b.store(1, rel);
}

thread t2 {
  r1 = b.load(acq);
  c.store(1, rel);
}

thread t3 {
  r1 = c.load(acq);
  r2 = a.load(rlx);
}
