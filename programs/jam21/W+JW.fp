//! title: A thread that joins another and reads what it wrote
//! source: GenMC test suite, litmus/W+JW
//! expect-executions: rc11=1+0 jam21=1+0
//! note: Here the join is an acquire read of what the thread writes last, and an assumption. Unlike a join, it can be
//! note: cut off: there is one blocked execution that the table has not. The original's main writes the handle of t1,
//! note: which t2 reads, before t2 starts, and joins both threads, in one order or the other.

atomic x, y, t1_ended: bool;

thread t1 {
  x.store(42, rlx);
  t1_ended.store(1, rel);
}

thread t2 {
  ended = t1_ended.load(acq);
  assume(ended);
  r = x.load(rlx);
  assert(r == 42);
  y.store(42, rlx);
}
