//! title: 2+2W, SC writes but the first of the second thread
//! source: GenMC test suite, litmus/2+2W+3sc+rel1; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=4+0 jam21=4+0

atomic x, y;

thread t1 {
  x.store(1, sc);
  y.store(2, sc);
}

thread t2 {
  y.store(1, rel);
  x.store(2, sc);
}
