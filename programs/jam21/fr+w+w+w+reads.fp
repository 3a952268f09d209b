//! title: Four reads against three writers
//! source: GenMC test suite, litmus/fr+w+w+w+reads
//! expect-executions: rc11=210+0 jam21=210+0

atomic x;

thread t1 {
  x.store(1, rlx);
}

thread t2 {
  x.store(2, rlx);
}

thread t3 {
  x.store(3, rlx);
}

thread t4 {
  r1 = x.load(rlx);
  r2 = x.load(rlx);
  r3 = x.load(rlx);
  r4 = x.load(rlx);
}
