//! title: A thread that joins another and reads what it wrote (variant 1)
//! source: GenMC test suite, litmus/W+JW
//! expect-executions: rc11=1+0 jam21=1+0
//! note: As W+JW.fp: in the original, main joins the threads in another order, and there is no main here.

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
