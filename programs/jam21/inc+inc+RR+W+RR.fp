//! title: Two increments, a writer and two threads of two reads
//! source: GenMC test suite, litmus/inc+inc+RR+W+RR
//! expect-executions: rc11=600+0 jam21=600+0
//! note: The original's main thread joins all threads and asserts !(a == 42 && b == 2 && c == 1 && d == 42). It does
//! note: not read the results before that, so leaving it out changes no count.

atomic x;
nonatomic a, b, c, d;

thread t1 {
  x.fetch_add(1, rlx);
}

thread t2 {
  x.fetch_add(1, rlx);
}

thread t3 {
  r1 = x.load(rlx);
  a.store(r1, na);
  r2 = x.load(rlx);
  b.store(r2, na);
}

thread t4 {
  x.store(42, rlx);
}

thread t5 {
  r1 = x.load(rlx);
  c.store(r1, na);
  r2 = x.load(rlx);
  d.store(r2, na);
}
