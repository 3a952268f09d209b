//! title: Store buffering, SC accesses and one release write
//! source: GenMC test suite, litmus/SB+3sc+rel; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=4+0 jam21=4+0

atomic x, y;

thread t1 {
  x.store(1, sc);
  r = y.load(sc);
}

thread t2 {
  y.store(1, rel);
  r = x.load(sc);
}
