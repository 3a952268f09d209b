//! title: Chase and Lev's deque with weaker orderings: two pushes, a pop, a push, and two thieves
//! source: GenMC test suite, data-structures/dq-opt; Chase and Lev, SPAA 2005; Lê et al., PPoPP 2013
//! expect-executions: rc11=1432+63 jam21=111+1
//! note: As dq.fp, where a push reads top relaxed and the CAS of a pop is release only. With release sequences as
//! note: RC11 was published there are 1432 executions in both models; here there are none through later writes of the
//! note: same thread, and more executions. The JAM21 figures of the table are those of a run that stopped at a race.

const SLOTS = 10;

atomic bottom, top;
nonatomic slot[SLOTS];

fn try_push(value) {
  b = bottom.load(rlx);
  t = top.load(rlx);
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
  (ok, _) = top.cas(t, t + 1, rel, rlx);
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
  pushed = try_push(1);
  value = 1 + pushed;
  pushed = try_push(value);
  value = value + value * pushed;
  try_pop();
  try_push(value);
}

thread thief_of_two {
  try_steal();
  try_steal();
}

thread thief_of_one {
  try_steal();
}
