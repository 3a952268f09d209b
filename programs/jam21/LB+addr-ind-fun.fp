//! title: Load buffering with an address that was read, in a function called by its address
//! source: GenMC test suite, litmus/LB+addr-ind-fun
//! expect-executions: rc11=3+0 jam21=3+0
//! note: The original calls the function through a pointer; there are none here, so this is LB+addr-fun.

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
