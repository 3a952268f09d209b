//! title: S with nonatomic writes: a release write before a relaxed one, an acquire read (variant 1)
//! source: GenMC test suite, litmus/S+rels+acq; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=3+0 jam21=3+0
//! note: As S+rels+acq.fp, with the threads started in another order.

nonatomic x;
atomic y;

thread t2 {
  r = y.load(acq);
  if (r) {
    x.store(2, na);
  }
}

thread t1 {
  x.store(1, na);
  y.store(0, rel);
  y.store(1, rlx);
}
