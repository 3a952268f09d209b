//! title: A buffer is filled and counted; index and counter stay together
//! source: ours; only octagons prove it

const SIZE = 100;

atomic full: bool, limit: 0..100;

thread filler {
  n = limit.load(rlx);
  i = 0;
  count = 0;
  left = SIZE;
  while (i < n) {
    i = i + 1;
    count = count + 1;
    left = left - 1;
    assert(count == i);
    assert(left + i == SIZE);
  }
  assert(count == n);
  assert(left >= 0);
  full.store(1, rel);
}

thread owner {
  limit.store(SIZE, rlx);
}
