//! title: Rule (6): a load behind a store that overwrites 1 does not read 1 again
//! source: paper 002 Fig. 10

atomic x;

thread thread1 {
  x.store(1, rlx);
}

thread thread2 {
  a = x.load(rlx);
  if (a == 1) {
    x.store(2, rlx);
    fence(sc);
    b = x.load(rlx);
    assert(b != 1);
  }
}
