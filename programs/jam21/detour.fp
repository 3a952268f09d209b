//! title: A value that comes back through its own thread's write
//! source: GenMC test suite, litmus/detour
//! expect-executions: rc11=9+0 jam21=9+0

atomic x, y, z;

thread t1 {
  x.store(1, rlx);
}

thread t2 {
  a = z.load(rlx);
  x.store(a - 1, rlx);
  b = x.load(rlx);
  y.store(b, rlx);
}

thread t3 {
  c = y.load(rlx);
  z.store(c, rlx);
}
