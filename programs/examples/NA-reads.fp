//! title: Two nonatomic reads and a write
//! source: Margalit and Lahav, POPL 2021, Ex. 6.3
//! expect: rc20=data-race rc20-observational=data-race rc11=data-race
//! note: First's read of x races with third's write: the relaxed message from first to second does not synchronise.
//! note: Second's read is ordered before the write, so a monitor that keeps only one reader a location would miss the
//! note: race. The two reads do not conflict. A race is a failure (Def. 6.2), whatever the reads are used for.

nonatomic x: bool;
atomic y: 0..2;

thread first {
  a = x.load(na);
  y.store(1, rlx);
}

thread second {
  wait(y == 1, rlx);
  b = x.load(na);
  y.store(2, rel);
}

thread third {
  wait(y == 2, acq);
  x.store(1, na);
}
