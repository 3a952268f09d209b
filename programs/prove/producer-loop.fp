//! title: A producer publishes again and again; whoever sees the flag sees what was written before it
//! source: ours

atomic ready;
nonatomic data, length;

thread producer {
  loop {
    data.store(5, na);
    length.store(3, na);
    ready.store(1, rel);
  }
}

thread consumer {
  loop {
    r = ready.load(acq);
    if (r) {
      d = data.load(na);
      assert(d == 5);
      l = length.load(na);
      assert(l == 3);
    }
  }
}
