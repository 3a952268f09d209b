//! title: A reader, a reader that writes, and a writer
//! source: GenMC test suite, litmus/small0
//! expect-executions: rc11=9+0 jam21=9+0

atomic x;

thread t1 {
  r = x.load(acq);
}

thread t2 {
  r = x.load(acq);
  x.store(1, rel);
}

thread t3 {
  x.store(2, rel);
}
