//! title: Rule (2): a loop around both stores puts each before and after the other
//! source: paper 002 Fig. 8, right

atomic x, y;

thread thread1 {
  loop {
    x.store(1, rlx);
    y.store(1, rlx);
    x.store(0, rlx);
    y.store(0, rlx);
  }
}

thread thread2 {
  a = y.load(rlx);
  if (a == 1) {
    b = x.load(rlx);
    assert(b == 1);
  }
}
