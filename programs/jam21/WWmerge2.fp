//! title: WWmerge1 with its two writes merged
//! source: GenMC test suite, litmus/WWmerge2
//! expect-executions: rc11=8+0 jam21=8+0

atomic x, y;

thread t1 {
  a = x.load(acq);
  b = y.load(sc);
}

thread t2 {
  x.store(2, sc);
}

thread t3 {
  y.store(1, sc);
  c = x.load(sc);
}
