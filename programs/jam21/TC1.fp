//! title: Java causality test case 1
//! source: GenMC test suite, litmus/TC1; Pugh et al., "Causality test cases", 2004
//! expect-executions: rc11=3+0 jam21=3+0

atomic x, y;

thread t1 {
  r1 = x.load(rlx);
  if (r1 >= 0) {
    y.store(1, rlx);
  }
}

thread t2 {
  r2 = y.load(rlx);
  x.store(r2, rlx);
}
