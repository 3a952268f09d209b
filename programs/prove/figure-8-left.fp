//! title: Rule (2): a loop around neither store leaves them in order
//! source: paper 002 Fig. 8, left

atomic x, y, busy;

thread thread1 {
  x.store(1, rlx);
  while (r == 0) {
    r = busy.load(rlx);
  }
  y.store(1, rlx);
}

thread thread2 {
  a = y.load(rlx);
  if (a == 1) {
    b = x.load(rlx);
    assert(b == 1);
  }
}

thread thread3 {
  busy.store(1, rlx);
}
