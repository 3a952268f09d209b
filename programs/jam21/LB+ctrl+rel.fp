//! title: Load buffering, a control dependency and a release write
//! source: GenMC test suite, litmus/LB+ctrl+rel; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=3+0 jam21=3+0

atomic x, y;

thread t1 {
  r = x.load(rlx);
  if (!r) {
    y.store(1, rlx);
  } else {
    y.store(2, rlx);
  }
}

thread t2 {
  r = y.load(rlx);
  x.store(1, rel);
}
