//! title: Six increments of one counter, with and without release and acquire
//! source: GenMC test suite, litmus/viktor-relseq
//! expect-executions: rc11=180+0 jam21=180+0

atomic lock;

thread relaxed {
  lock.fetch_add(1, rlx);
  lock.fetch_add(1, rlx);
}

thread acquire {
  lock.fetch_add(1, acq);
  lock.fetch_add(1, rlx);
}

thread release {
  lock.fetch_add(1, rel);
}

thread single {
  lock.fetch_add(1, rlx);
}
