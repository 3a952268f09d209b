//! title: A thread that passes on its own release write
//! source: GenMC test suite, litmus/rfi-preserved
//! expect-executions: rc11=3+0 jam21=3+0

atomic x, y, z;

thread t1 {
  a = x.load(rlx);
  y.store(1, rel);
  b = y.load(rlx);
  z.store(b, rlx);
}

thread t2 {
  c = z.load(rlx);
  x.store(c, rlx);
}
