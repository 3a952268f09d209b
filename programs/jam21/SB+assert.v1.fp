//! title: Store buffering, SC accesses, with the results kept (variant 1)
//! source: GenMC test suite, litmus/SB+assert; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=3+1 jam21=3+1
//! note: As SB+assert.fp: in the original, main joins the threads in another order, and there is no main here.

atomic x, y;
nonatomic rx, ry;

thread t1 {
  x.store(1, sc);
  r = y.load(sc);
  ry.store(r, na);
}

thread t2 {
  y.store(1, sc);
  r = x.load(sc);
  rx.store(r, na);
}
