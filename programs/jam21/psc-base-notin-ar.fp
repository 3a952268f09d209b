//! title: SC writes in a row of assumptions
//! source: GenMC test suite, litmus/psc-base-notin-ar
//! expect-executions: rc11=2+1 jam21=2+1

atomic x, y;

thread t1 {
  a = x.load(rlx);
  assume(a == 2);
  y.store(1, sc);
}

thread t2 {
  y.store(2, sc);
}

thread t3 {
  b = y.load(rlx);
  assume(b == 2);
  x.store(b, rlx);
}
