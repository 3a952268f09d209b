//! title: Two increments and a writer
//! source: GenMC test suite, litmus/inc2w
//! expect-executions: rc11=6+0 jam21=6+0

atomic x;

thread t1 {
  x.fetch_add(1, rlx);
}

thread t2 {
  x.store(4, rel);
}

thread t3 {
  x.fetch_add(2, rlx);
}
