//! title: Message passing of a nonatomic write: a release write, an acquire fence
//! source: GenMC test suite, litmus/MP+rel+acqf; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=2+0 jam21=2+0

nonatomic x;
atomic y;

thread t1 {
  x.store(1, na);
  y.store(1, rel);
}

thread t2 {
  r = y.load(rlx);
  if (r) {
    fence(acq);
    rx = x.load(na);
  }
}
