//! title: One writer and thirteen readers
//! source: GenMC's test suite, synthetic/readers with N=13: 8,192 executions under RC11
//! expect-executions: rc11=8192+0

const N = 13;

atomic x;

thread writer {
  x.store(42, rel);
}

thread reader[N] {
  r = x.load(acq);
}
