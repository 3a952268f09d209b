//! title: Message passing of a nonatomic write: a release write before a relaxed one, an acquire read
//! source: GenMC test suite, litmus/MP+rels+acq; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=3+0 jam21=3+0
//! note: RC11 as published in 2017 lets a later write of the same thread continue the release sequence of y.store(0,
//! note: rel); RC11 here, like C++20, does not, so the accesses of x race and there is one more execution.

nonatomic x;
atomic y;

thread t1 {
  x.store(1, na);
  y.store(0, rel);
  y.store(1, rlx);
}

thread t2 {
  r = y.load(acq);
  if (r) {
    rx = x.load(na);
  }
}
