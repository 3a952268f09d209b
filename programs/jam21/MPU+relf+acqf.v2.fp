//! title: Message passing through an RMW: a release fence, an acquire fence
//! source: GenMC test suite, litmus/MPU+relf+acqf
//! expect-executions: rc11=6+0 jam21=6+0
//! note: The table has three rows of this name. Rows 0 and 1, with 3 executions, are no runs of this program: the
//! note: folder of variants has two files of expected counts in it, and the thesis's script ran the tool on them too.

nonatomic x;
atomic y;

thread t1 {
  x.store(1, na);
  fence(rel);
  y.store(1, rlx);
}

thread t2 {
  y.fetch_add(1, rlx);
}

thread t3 {
  r = y.load(rlx);
  if (r > 1) {
    fence(acq);
    x.store(2, na);
  }
}
