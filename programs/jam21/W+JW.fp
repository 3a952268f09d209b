//! title: A thread that joins another and reads what it wrote
//! source: GenMC test suite, litmus/W+JW
//! expect-executions: rc11=1+0 jam21=1+0
//! note: Here the join is a wait for a release write at the end of the thread. Unlike a join, it can be cut off:
//! note: there is one blocked execution that the table has not. The original's main writes the handle of t1, which t2
//! note: reads, before t2 starts, and joins both threads, in one order or the other.

atomic x, y, t1_ended: bool;

thread t1 {
  x.store(42, rlx);
  t1_ended.store(1, rel);
}

thread t2 {
  wait(t1_ended == 1, acq);
  r = x.load(rlx);
  assert(r == 42);
  y.store(42, rlx);
}
