//! title: Wait-free ring buffer, one producer and one consumer
//! source: H. Bahmann and T. Blechmann, Boost.Atomic usage examples, 2012
//! expect: rc20=robust rc20-observational=robust
//! note: push and pop answer "full" and "empty" at once; the loops that would call them again until they succeed are
//! note: waits here, as the paper allows. The template parameter Size is 3: two slots can be in use. Up to Size 4 it
//! note: is robust; from Size 5 on the consumer, which knows that the producer has gone on, may still wait on an
//! note: older head, which is harmless but not robust. Polled in loops it is robust for Size 2 only: see wait-free-
//! note: ring-polling.fp. The producer sends 0, 1, 2, 3, 0, 1, ..., more different values than slots, so that a lost
//! note: or repeated value shows.

const SIZE = 3;

atomic head: 0..2;
atomic tail: 0..2;
nonatomic ring[SIZE]: 0..3;

thread producer {
  var value: 0..3 = 0;
  loop {
    h = head.load(rlx);
    next = (h + 1) % SIZE;
    wait(tail != next, acq);
    ring[h].store(value, na);
    head.store(next, rel);
    value = value + 1;
  }
}

thread consumer {
  var expected: 0..3 = 0;
  loop {
    t = tail.load(rlx);
    wait(head != t, acq);
    value = ring[t].load(na);
    assert(value == expected);
    tail.store((t + 1) % SIZE, rel);
    expected = expected + 1;
  }
}
