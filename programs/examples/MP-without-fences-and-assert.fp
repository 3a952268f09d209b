//! title: Message passing without fences and without the assertion
//! source: Margalit and Lahav, POPL 2021, Ex. 4.10
//! expect: rc20=not-robust rc20-observational=robust rc11=not-robust
//! note: "Without the final assert instruction, that program is observationally robust (but not robust)": nothing
//! note: depends on the read of x, which may be stale.

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
}
