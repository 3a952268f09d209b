//! title: An increment against a write and a read
//! source: GenMC test suite, litmus/rinc+wr
//! expect-executions: rc11=3+0 jam21=3+0

atomic x;

thread t1 {
  x.fetch_add(1, rlx);
}

thread t2 {
  x.store(2, rlx);
  r = x.load(rlx);
}
