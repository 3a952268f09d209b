//! title: An assumption over two reads, against a reader that writes
//! source: GenMC test suite, litmus/assume-ctrl
//! expect-executions: rc11=4+1 jam21=4+1
//! note: The original's condition is a short-circuit `||`: the second read happens only if the first is at least 2.

atomic x, y;

thread t1 {
  a = y.load(rlx);
  if (a >= 2) {
    b = y.load(rlx);
    assume(b > 3);
  }
  x.store(1, rlx);
}

thread t2 {
  c = x.load(rlx);
  assume(c < 3);
  y.store(3, rlx);
  fence(sc);
  y.store(4, rlx);
}
