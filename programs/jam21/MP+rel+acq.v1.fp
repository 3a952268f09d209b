//! title: Message passing of a nonatomic write: a release write, an acquire read (variant 1)
//! source: GenMC test suite, litmus/MP+rel+acq; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=2+0 jam21=2+0
//! note: As MP+rel+acq.fp, with the threads started in another order.

nonatomic x;
atomic y;

thread t2 {
  r = y.load(acq);
  if (r) {
    rx = x.load(na);
  }
}

thread t1 {
  x.store(1, na);
  y.store(1, rel);
}
