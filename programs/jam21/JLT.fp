//! title: Two writers of one location that read it back, a writer of another
//! source: GenMC test suite, litmus/JLT
//! expect-executions: rc11=8+0 jam21=8+0

atomic x, y;

thread t1 {
  x.store(1, rel);
  a = y.load(acq);
  b = x.load(acq);
}

thread t2 {
  x.store(2, rel);
  r = x.load(acq);
}

thread t3 {
  y.store(3, rel);
}
