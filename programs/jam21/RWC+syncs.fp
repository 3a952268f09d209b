//! title: Read-to-write causality, SC fences
//! source: GenMC test suite, litmus/RWC+syncs; Lahav et al., PLDI 2017
//! expect-executions: rc11=7+0 jam21=7+0

atomic x, y;

thread t1 {
  x.store(1, rlx);
}

thread t2 {
  a = x.load(rlx);
  fence(sc);
  b = y.load(rlx);
}

thread t3 {
  y.store(1, rlx);
  fence(sc);
  c = x.load(rlx);
}
