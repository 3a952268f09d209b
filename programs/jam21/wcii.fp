//! title: A write, a CAS and two increments
//! source: GenMC test suite, litmus/wcii
//! expect-executions: rc11=24+0 jam21=24+0

atomic x;

thread t1 {
  x.store(5, rel);
}

thread t2 {
  x.cas(1, 2, rlx, rlx);
}

thread t3 {
  x.fetch_add(1, rlx);
}

thread t4 {
  x.fetch_add(1, rlx);
}
