//! title: A global barrier of two threads
//! source: O. Lahav and R. Margalit, "Robustness against release/acquire semantics", PLDI 2019, program BAR (section 2.3)
//! expect: ra=robust
//! note: The waits block, as in the paper: a loop of loads could read the stale 0 once more, which is harmless but not robust.

atomic x: bool;
atomic y: bool;

thread left {
  x.store(1, rel);
  wait(y == 1, acq);
}

thread right {
  y.store(1, rel);
  wait(x == 1, acq);
}
