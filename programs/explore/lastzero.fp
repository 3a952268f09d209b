//! title: The last cell that is zero, among fifteen that are being filled
//! source: GenMC's test suite, synthetic/lastzero with N=15: 147,456 executions under RC11
//! expect-executions: rc11=147456+0

const N = 15;

atomic cells[N + 1];

thread reader {
  i = N;
  loop {
    v = cells[i].load(acq);
    if (v == 0) break;
    i = i - 1;
  }
}

thread writer[N] {
  v = cells[self].load(acq);
  cells[self + 1].store(v + 1, rel);
}
