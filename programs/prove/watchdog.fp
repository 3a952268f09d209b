//! title: A watchdog driver: the timer interrupt, an ioctl thread and the probe that starts both
//! source: in the manner of the watchdog drivers of paper 002 Table 4

atomic started: bool, margin: 0..255, alive: bool, expired: bool, opened: 0..1;
nonatomic base, port;

thread probe {
  base.store(0x60, na);
  port.store(0x443, na);
  margin.store(30, rlx);
  fence(sc);
  started.store(1, rlx);
}

thread timer {
  s = started.load(rlx);
  fence(sc);
  if (s == 1) {
    b = base.load(na);
    assert(b == 0x60);
    p = port.load(na);
    assert(p == 0x443);
    a = alive.load(rlx);
    if (a == 0) {
      expired.store(1, rlx);
    } else {
      alive.store(0, rlx);
    }
    e = expired.load(rlx);
    assert(a == 1 || e == 1);
  }
}

thread ioctl {
  o = opened.exchange(1, acqrel);
  assert(o == 0 || o == 1);
  if (o == 0) {
    s = started.load(rlx);
    fence(sc);
    if (s == 1) {
      request = choose(0..3);
      m = margin.load(rlx);
      assert(m == 30 || m == 60);
      if (request == 0) {
        alive.store(1, rlx);
      } else {
        if (request == 1) {
          margin.store(60, rlx);
          after = margin.load(rlx);
          assert(after == 60);
        }
      }
    }
    opened.store(0, rel);
  }
}
