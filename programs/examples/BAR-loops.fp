//! title: A global barrier with busy loops
//! source: Lahav and Margalit, PLDI 2019, section 2.3, program BAR on the left
//! expect: ra=not-robust rc20=not-robust rc20-observational=not-robust rc11=not-robust
//! note: Both threads can stand at the end of their loop after reading a stale 0, which SC excludes: store buffering.
//! note: The threads only loop once more. The loop branches on what it reads, so it is not observationally robust
//! note: either.

atomic x: bool, y: bool;

thread left {
  x.store(1, rel);
  loop {
    r = y.load(acq);
    if (r == 1) {
      break;
    }
  }
}

thread right {
  y.store(1, rel);
  loop {
    r = x.load(acq);
    if (r == 1) {
      break;
    }
  }
}
