//! title: Data published behind a flag that the reader spins on
//! source: ours

atomic ready;
nonatomic data, size;

thread writer {
  data.store(42, na);
  size.store(7, na);
  ready.store(1, rel);
}

thread reader {
  while (r == 0) {
    r = ready.load(acq);
  }
  d = data.load(na);
  assert(d == 42);
  s = size.load(na);
  assert(s == 7);
  assert(d / s == 6);
}
