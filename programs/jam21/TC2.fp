//! title: Java causality test case 2
//! source: GenMC test suite, litmus/TC2; Pugh et al., "Causality test cases", 2004
//! expect-executions: rc11=4+0 jam21=4+0

atomic x, y;

thread t1 {
  r1 = x.load(rlx);
  r2 = x.load(rlx);
  if (r1 == r2) {
    y.store(1, rlx);
  }
}

thread t2 {
  r3 = y.load(rlx);
  x.store(r3, rlx);
}
