//! title: Chase and Lev's deque: five pushes, three pops, two pushes, and a thief
//! source: GenMC test suite, data-structures/chase-lev; Chase and Lev, SPAA 2005; Lê et al., PPoPP 2013
//! expect-executions: rc11=59+0 jam21=59+0
//! note: The slots are nonatomic, as in the original. RC11 as published gives the 59 of the table; RC11 here has no
//! note: release sequences through later writes of the same thread, and more executions.

const SLOTS = 10;

atomic bottom, top;
nonatomic slot[SLOTS];

fn try_push(value) {
  b = bottom.load(rlx);
  t = top.load(acq);
  if (b - t >= SLOTS) {
    return 0;  // full
  }
  slot[b % SLOTS].store(value, na);
  bottom.store(b + 1, rel);
  return 1;
}

fn try_pop() {
  b = bottom.load(rlx);
  bottom.store(b - 1, rlx);
  fence(sc);
  t = top.load(rlx);
  if (b - t <= 0) {
    bottom.store(b, rlx);
    return 0;  // empty
  }
  value = slot[(b - 1) % SLOTS].load(na);
  if (b - t > 1) {
    return value;
  }
  (ok, _) = top.cas(t, t + 1, acqrel, acq);
  bottom.store(b, rlx);
  return ok ? value : 0;
}

fn try_steal() {
  t = top.load(rlx);
  fence(sc);
  b = bottom.load(acq);
  if (b - t <= 0) {
    return 0;  // empty
  }
  value = slot[t % SLOTS].load(na);
  (ok, _) = top.cas(t, t + 1, rel, rlx);
  return ok ? value : 0;
}

thread owner {
  count = 1;
  i = 0;
  while (i < 10) {
    if (i < 5 || i >= 8) {
      pushed = try_push(count);
      count = count + pushed;
    } else {
      try_pop();
    }
    i = i + 1;
  }
}

thread thief {
  try_steal();
}
