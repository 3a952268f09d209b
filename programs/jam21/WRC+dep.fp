//! title: Write-to-read causality, a data dependency and a fence
//! source: GenMC test suite, litmus/WRC+dep; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=8+0 jam21=8+0

atomic x, y;

thread t1 {
  x.store(1, rlx);
}

thread t2 {
  r1 = x.load(rlx);
  y.store(r1, rlx);
}

thread t3 {
  r2 = y.load(rlx);
  fence(acqrel);
  r3 = x.load(rlx);
}
