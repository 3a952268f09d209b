//! title: Z6 with SC fences and an acquire read (variant 1)
//! source: GenMC test suite, litmus/Z6+acq; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=7+0 jam21=8+0
//! note: As Z6+acq.fp, with the threads started in another order.

atomic a, b, c;

thread t3 {
  c.store(2, rlx);
  fence(sc);
  r2 = a.load(rlx);
}

thread t1 {
  a.store(1, rlx);
  fence(sc);
  b.store(1, rlx);
}

thread t2 {
  r1 = b.load(acq);
  c.store(1, rlx);
}
