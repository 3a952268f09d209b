//! title: Store buffering, SC accesses
//! source: GenMC test suite, litmus/SB+4sc; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=3+0 jam21=3+0

atomic x, y;

thread t1 {
  x.store(1, sc);
  r = y.load(sc);
}

thread t2 {
  y.store(1, sc);
  r = x.load(sc);
}
