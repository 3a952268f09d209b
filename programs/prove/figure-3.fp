//! title: Paper 002, Figure 3 without its fence: the second store may overtake the first
//! source: paper 002 Fig. 3

atomic x, y;

thread thread1 {
  x.store(5, rlx);
  y.store(10, rlx);
}

thread thread2 {
  a = y.load(rlx);
  if (a == 10) {
    b = x.load(rlx);
    assert(b == 5);
  }
}
