//! title: Load buffering with an address that was read, in a function
//! source: GenMC test suite, litmus/LB+addr-fun
//! expect-executions: rc11=3+0 jam21=3+0

atomic x, y[2];

fn load_store(a) {
  b = y[a].load(rlx);
  y[0].store(1, rlx);
}

thread t1 {
  a = x.load(rlx);
  load_store(a);
}

thread t2 {
  r = y[0].load(rlx);
  x.store(r, rel);
}
