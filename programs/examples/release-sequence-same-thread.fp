//! title: A relaxed write after a release write of the same thread
//! source: Margalit and Lahav, POPL 2021, section 3.1
//! expect: rc20=not-robust rc20-observational=not-robust rc11=not-robust
//! note: C11 let the second write continue the release sequence of the first; C++20 does not, and neither does RC20
//! note: (nor RC11 here). Right may read y = 2 and then x = 0.

atomic x: bool;
atomic y: 0..2;

thread left {
  x.store(1, rlx);
  y.store(1, rel);
  y.store(2, rlx);
}

thread right {
  wait(y == 2, acq);
  b = x.load(rlx);
  assert(b == 1);
}
