//! title: Independent reads of independent writes, the first reads acquire
//! source: GenMC test suite, litmus/IRIW-acq-sc; Lahav et al., PLDI 2017
//! expect-executions: rc11=16+0 jam21=16+0

atomic x, y;

thread t1 {
  x.store(1, sc);
}

thread t2 {
  a = x.load(acq);
  b = y.load(sc);
}

thread t3 {
  c = y.load(acq);
  d = x.load(sc);
}

thread t4 {
  y.store(1, sc);
}
