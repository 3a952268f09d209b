//! title: Load buffering through increments
//! source: GenMC test suite, litmus/LB+incMPs
//! expect-executions: rc11=15+0 jam21=15+0

atomic x, y, w, z;

thread t1 {
  r = x.load(acq);
  z.fetch_add(1, acqrel);
}

thread t2 {
  z.fetch_add(1, acqrel);
  y.store(1, rel);
}

thread t3 {
  r = y.load(acq);
  w.fetch_add(1, acqrel);
}

thread t4 {
  w.fetch_add(1, acqrel);
  x.store(1, rel);
}
