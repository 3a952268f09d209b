//! title: Chase and Lev's work-stealing deque with relaxed accesses, an owner and two thieves
//! source: J. Kang, Crossbeam RFC "deque-proof", 2018, after Chase and Lev, SPAA 2005, and Lê et al., PPoPP 2013
//! expect: rc20=robust rc20-observational=robust
//! note: Kang's orderings, with the strengthenings of Margalit and Lahav, POPL 2021, section 7, which robustness
//! note: needs and correctness does not: the write by which pop lowers bottom is release, push has an SC fence
//! note: between its reads of bottom and top, and a thief has one before it starts stealing. Without any one of the
//! note: three it is not robust. The CAS of a thief is a blocking one (section 7: "use BCAS instead of CAS"): a thief
//! note: that was overtaken stays blocked. With CAS it is not robust: see chase-lev-cas.fp. Without resizing: the
//! note: owner pushes TASKS tasks in all, which bounds top and bottom. Nobody may run an empty slot.

const TASKS = 3;
const NONE = 3;

atomic top: 0..TASKS;
atomic bottom: -1..TASKS;
atomic slot[TASKS]: 0..NONE = NONE;

fn run(task) {
  assert(task != NONE);
}

fn push(task) {
  b = bottom.load(rlx);
  fence(sc);
  t = top.load(acq);
  assert(b - t < TASKS);
  slot[b].store(task, rlx);
  bottom.store(b + 1, rel);
}

fn pop() {
  b = bottom.load(rlx);
  bottom.store(b - 1, rel);
  fence(sc);
  t = top.load(rlx);
  len = b - t;
  if (len <= 0) {
    bottom.store(b, rlx);
    return;
  }
  task = slot[b - 1].load(rlx);
  if (len == 1) {
    (ok, seen) = top.cas(t, t + 1, rel, acq);
    bottom.store(b, rlx);
    if (!ok) {
      return;
    }
  }
  run(task);
}

fn steal() {
  fence(sc);
  t = top.load(rlx);
  fence(sc);
  b = bottom.load(acq);
  if (b - t <= 0) {
    return;
  }
  task = slot[t].load(rlx);
  top.bcas(t, t + 1, rel);
  run(task);
}

thread owner {
  pushed = 0;
  loop {
    either {
      if (pushed < TASKS) {
        push(pushed);
        pushed = pushed + 1;
      }
    } or {
      pop();
    }
  }
}

thread thief[2] {
  loop {
    steal();
  }
}
