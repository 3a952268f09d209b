//! title: Load buffering with an address that was read
//! source: GenMC test suite, litmus/LB+addr
//! expect-executions: rc11=3+0 jam21=3+0

atomic x, y[2];

thread t1 {
  a = x.load(rlx);
  b = y[a].load(rlx);
  y[0].store(1, rlx);
}

thread t2 {
  r = y[0].load(rlx);
  x.store(r, rel);
}
