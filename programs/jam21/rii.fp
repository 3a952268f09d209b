//! title: A read and two increments
//! source: GenMC test suite, litmus/rii
//! expect-executions: rc11=3+0 jam21=3+0

atomic x;

thread t1 {
  r = x.load(rlx);
  x.fetch_add(1, rlx);
}

thread t2 {
  x.fetch_add(1, rlx);
}
