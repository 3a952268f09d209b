//! title: Store buffering with SC fences
//! source: Margalit and Lahav, POPL 2021, section 3.1
//! expect: rc20=robust rc20-observational=robust rc11=robust
//! note: SC fences are totally ordered by happens-before in RC20; the thread with the later one knows the other's
//! note: write, relaxed as it is. In RC11 reading 0 twice is a psc cycle through the two fences.

atomic x: bool, y: bool;

thread left {
  x.store(1, rlx);
  fence(sc);
  a = y.load(rlx);
  assert(a == a);
}

thread right {
  y.store(1, rlx);
  fence(sc);
  b = x.load(rlx);
  assert(b == b);
}
