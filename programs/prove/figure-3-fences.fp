//! title: Paper 002, Figure 3, with a second fence, because RMO lets loads overtake loads as well
//! source: paper 002 Fig. 3

atomic x, y;

thread thread1 {
  x.store(5, rlx);
  fence(sc);
  y.store(10, rlx);
}

thread thread2 {
  a = y.load(rlx);
  fence(sc);
  if (a == 10) {
    b = x.load(rlx);
    assert(b == 5);
  }
}
