//! title: W+RWC: a release/acquire pair before read-to-write causality, SC fences
//! source: GenMC test suite, litmus/W+RWC; Lahav et al., PLDI 2017
//! expect-executions: rc11=7+0 jam21=8+0
//! note: See Rączkiewicz, 2025, section 6.1.3. In the original, main first writes 0 to each location. Here that is
//! note: the initial value: nobody could read an older write, so no count changes.

atomic x, y, z;

thread t1 {
  x.store(1, rlx);
  z.store(1, rel);
}

thread t2 {
  a = z.load(acq);
  fence(sc);
  b = y.load(rlx);
}

thread t3 {
  y.store(1, rlx);
  fence(sc);
  c = x.load(rlx);
}
