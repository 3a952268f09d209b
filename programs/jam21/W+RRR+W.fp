//! title: Three reads between two writers
//! source: GenMC test suite, litmus/W+RRR+W
//! expect-executions: rc11=20+0 jam21=20+0

atomic x;

thread t1 {
  x.store(1, rlx);
}

thread t2 {
  a = x.load(rlx);
  b = x.load(rlx);
  c = x.load(rlx);
  assert(!(a == 1 && b == 2 && c == 1));
}

thread t3 {
  x.store(2, rlx);
}
