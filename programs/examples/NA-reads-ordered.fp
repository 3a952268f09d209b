//! title: Two nonatomic reads and a write, all ordered
//! source: Margalit and Lahav, POPL 2021, Ex. 6.3 with release and acquire
//! expect: rc20=robust rc20-observational=robust rc11=robust
//! note: As NA-reads, but the first message is release/acquire too: all three accesses are ordered by happens-before,
//! note: no race.

nonatomic x: bool;
atomic y: 0..2;

thread first {
  a = x.load(na);
  y.store(1, rel);
}

thread second {
  wait(y == 1, acq);
  b = x.load(na);
  y.store(2, rel);
}

thread third {
  wait(y == 2, acq);
  x.store(1, na);
}
