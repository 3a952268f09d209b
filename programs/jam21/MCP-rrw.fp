//! title: Two writers, one reader
//! source: GenMC test suite, litmus/MCP-rrw
//! expect-executions: rc11=6+0 jam21=6+0

atomic x;

thread t1 {
  x.store(1, rel);
}

thread t2 {
  x.store(2, rel);
}

thread t3 {
  r = x.load(acq);
}
