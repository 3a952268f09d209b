//! title: Message passing, an SC writer against an acquire and an SC read
//! source: GenMC test suite, litmus/psc-sbhbsb
//! expect-executions: rc11=1+1 jam21=1+1

atomic x, y;

thread t1 {
  x.store(1, sc);
  y.store(1, sc);
}

thread t2 {
  a = x.load(acq);
  assume(a == 1);
  b = y.load(sc);
  assume(b == 0);
}
