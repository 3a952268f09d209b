//! title: Three threads of SC accesses that all read an older value
//! source: GenMC test suite, litmus/WWR+2WR
//! expect-executions: rc11=0+10 jam21=2+10
//! note: By the definition of JAM21 no execution is complete. The thesis's tool keeps of a linearisation only the
//! note: steps from one event to the next, and finds two.

atomic x, y, z;

thread t1 {
  x.store(1, sc);
  y.store(1, sc);
  a = z.load(sc);
  assume(a == 0);
}

thread t2 {
  z.store(1, sc);
  b = y.load(sc);
  assume(b == 2);
}

thread t3 {
  y.store(2, sc);
  c = x.load(sc);
  assume(c == 0);
}
