//! title: Two writers, one reader (variant 2)
//! source: GenMC test suite, litmus/MCP-rrw
//! expect-executions: rc11=6+0 jam21=6+0
//! note: As MCP-rrw.fp, with the threads started in another order.

atomic x;

thread t3 {
  r = x.load(acq);
}

thread t1 {
  x.store(1, rel);
}

thread t2 {
  x.store(2, rel);
}
