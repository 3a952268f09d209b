//! title: Two SC fences ordered by reads-from through a third thread
//! source: GenMC test suite, litmus/psc-ar
//! expect-executions: rc11=1+2 jam21=0+2
//! note: The third thread writes y before its assumption. In the original main joins the threads, and reads res only
//! note: in an assertion that is compiled out. See Rączkiewicz, 2025, section 6.1.2.

atomic x, y, z;
nonatomic res;

thread t1 {
  a = y.load(rlx);
  assume(a == 1);
  fence(sc);
  b = z.load(rlx);
  assume(b == 0);
}

thread t2 {
  z.store(1, rlx);
  fence(sc);
  x.store(1, rlx);
}

thread t3 {
  d = x.load(rlx);
  if (d == 1) {
    y.store(1, rlx);
  }
  assume(d == 1);
  res.store(d, na);
}
