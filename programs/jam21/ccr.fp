//! title: Two CAS and a read
//! source: GenMC test suite, litmus/ccr
//! expect-executions: rc11=2+0 jam21=2+0

atomic x;

thread t1 {
  x.cas(0, 42, rlx, rlx);
}

thread t2 {
  x.cas(0, 17, rlx, rlx);
  r = x.load(rlx);
}
