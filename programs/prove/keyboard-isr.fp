//! title: A keyboard interrupt handler fills a buffer that a reader empties
//! source: in the manner of keybISR of paper 002 Table 4

const SIZE = 4;

atomic head: 0..3, tail: 0..3, pressed: bool, overflow: bool;
nonatomic buffer[SIZE]: u8;

thread isr {
  pressed.store(1, rlx);
  n = 0;
  while (n < 10) {
    h = head.load(rlx);
    t = tail.load(acq);
    assert(h >= 0 && h < SIZE);
    next = (h + 1) % SIZE;
    if (next == t) {
      overflow.store(1, rlx);
    } else {
      buffer[h].store(n + 1, na);
      head.store(next, rel);
    }
    n = n + 1;
  }
  assert(n == 10);
}

thread reader {
  loop {
    t = tail.load(rlx);
    h = head.load(acq);
    assert(t >= 0 && t < SIZE);
    if (h != t) {
      p = pressed.load(rlx);
      assert(p == 1);
      c = buffer[t].load(na);
      assert(c <= 10);
      tail.store((t + 1) % SIZE, rel);
    }
    o = overflow.load(rlx);
    assert(o == 0 || o == 1);
  }
}
