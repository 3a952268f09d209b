//! title: A CAS and two increments
//! source: GenMC test suite, litmus/cii
//! expect-executions: rc11=6+0 jam21=6+0

atomic x;

thread t1 {
  x.cas(1, 2, rlx, rlx);
}

thread t2 {
  x.fetch_add(1, rlx);
}

thread t3 {
  x.fetch_add(1, rlx);
}
