//! title: A release sequence through a relaxed RMW
//! source: Margalit and Lahav, POPL 2021, section 3.1
//! expect: rc20=robust rc20-observational=robust rc11=robust
//! note: The relaxed RMW continues the release sequence of the write it reads from: right synchronises with left and
//! note: reads x = 1.

atomic x: bool;
atomic y: 0..2;

thread left {
  x.store(1, rlx);
  y.store(1, rel);
}

thread middle {
  y.bcas(1, 2, rlx);
}

thread right {
  wait(y == 2, acq);
  b = x.load(rlx);
  assert(b == 1);
}
