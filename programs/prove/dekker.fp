//! title: Dekker's entry protocol with fences: a thread that saw the other's flag down is alone
//! source: in the manner of dekker1 of paper 002 Table 4

atomic flag[2], owner: 0..2;
nonatomic count;

thread left {
  flag[0].store(1, rlx);
  fence(sc);
  other = flag[1].load(rlx);
  if (other == 0) {
    owner.store(1, rlx);
    seen = owner.load(rlx);
    assert(seen == 1);
    c = count.load(na);
    assert(c == 0);
    count.store(0, na);
  }
  assert(other >= 0 && other <= 1);
}

thread right {
  flag[1].store(1, rlx);
  fence(sc);
  other = flag[0].load(rlx);
  if (other == 0) {
    owner.store(2, rlx);
    seen = owner.load(rlx);
    assert(seen == 2);
  }
  assert(other >= 0 && other <= 1);
}
