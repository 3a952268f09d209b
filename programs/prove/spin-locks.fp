//! title: Critical sections under spin locks, entered again and again: by exchange, by CAS, by a blocking CAS
//! source: ours

atomic first, second, third;
nonatomic owner, writer, holder;

thread worker[2] {
  loop {
    loop {
      taken = first.exchange(1, acq);
      if (taken == 0) break;
    }
    owner.store(self + 1, na);
    o = owner.load(na);
    assert(o == self + 1);
    first.store(0, rel);

    loop {
      (ok, _) = second.cas(0, 1, acq, rlx);
      if (ok) break;
    }
    writer.store(self + 1, na);
    w = writer.load(na);
    assert(w == self + 1);
    second.store(0, rel);

    third.bcas(0, 1, acq);
    holder.store(self + 1, na);
    h = holder.load(na);
    assert(h == self + 1);
    third.store(0, rel);
  }
}
