//! title: Store buffering, SC accesses, with the results kept
//! source: GenMC test suite, litmus/SB+assert; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=3+1 jam21=3+1
//! note: The original's main joins the threads, in one order or the other, and asserts that not both read 0. The one
//! note: blocked execution of the table is the inconsistent one in which that fails: the tool stops there, finds the
//! note: graph inconsistent, and counts it as blocked. By the definition there is none.

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
