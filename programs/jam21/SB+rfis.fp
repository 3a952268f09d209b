//! title: Store buffering, each thread reads its own write first
//! source: GenMC test suite, litmus/SB+rfis
//! expect-executions: rc11=4+0 jam21=3+0
//! note: See Rączkiewicz, 2025, section 6.1.1.

atomic x, y;

thread t1 {
  x.store(1, rel);
  a = x.load(sc);
  b = y.load(sc);
}

thread t2 {
  y.store(1, rel);
  a = y.load(sc);
  b = x.load(sc);
}
