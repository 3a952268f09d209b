//! title: Message passing without fences
//! source: Margalit and Lahav, POPL 2021, Ex. 4.2, 4.7, 4.10 and 4.15
//! expect: rc20=not-robust rc20-observational=not-robust rc11=not-robust
//! note: Relaxed accesses do not synchronise: right may read y = 1 and then x = 0. The assertion depends on that
//! note: read, so the program is not observationally robust either. Under SC the assertion holds.

atomic x: bool, y: bool;

thread left {
  x.store(1, rlx);
  y.store(1, rlx);
}

thread right {
  loop {
    a = y.load(rlx);
    if (a != 0) {
      break;
    }
  }
  b = x.load(rlx);
  assert(b != 0);
}
