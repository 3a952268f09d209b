//! title: Message passing through an increment
//! source: GenMC test suite, litmus/MP+incMP
//! expect-executions: rc11=7+0 jam21=7+0

atomic x, y, z;

thread t1 {
  r = y.load(acq);
  z.fetch_add(1, acqrel);
}

thread t2 {
  z.fetch_add(1, acqrel);
  r = x.load(acq);
}

thread t3 {
  x.store(1, rel);
  y.store(1, rel);
}
