//! title: Wait-free ring buffer, polled in loops
//! source: H. Bahmann and T. Blechmann, Boost.Atomic usage examples, 2012
//! expect: rc20=not-robust rc20-observational=not-robust
//! note: As wait-free-ring.fp, with the calls of push and pop repeated until they succeed. Not a row of the paper's
//! note: table. Store buffering between the indices: the producer publishes its second value and reads tail = 0
//! note: (full), while the consumer frees the first slot and reads head = 1 (empty). Each misses the other's last
//! note: write, which no interleaving allows. Nothing goes wrong: both ask again.

const SIZE = 3;

atomic head: 0..2;
atomic tail: 0..2;
nonatomic ring[SIZE]: 0..3;

fn push(value) {
  h = head.load(rlx);
  next = (h + 1) % SIZE;
  t = tail.load(acq);
  if (next == t) {
    return 0;
  }
  ring[h].store(value, na);
  head.store(next, rel);
  return 1;
}

fn pop(expected) {
  t = tail.load(rlx);
  h = head.load(acq);
  if (t == h) {
    return 0;
  }
  value = ring[t].load(na);
  assert(value == expected);
  tail.store((t + 1) % SIZE, rel);
  return 1;
}

thread producer {
  var value: 0..3 = 0;
  loop {
    done = push(value);
    if (done) {
      value = value + 1;
    }
  }
}

thread consumer {
  var expected: 0..3 = 0;
  loop {
    done = pop(expected);
    if (done) {
      expected = expected + 1;
    }
  }
}
