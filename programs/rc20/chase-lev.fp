//! title: Chase and Lev's work-stealing deque with relaxed accesses, an owner and two thieves
//! source: J. Kang, Crossbeam RFC "deque-proof", 2018, after Chase and Lev, SPAA 2005, and Le et al., PPoPP 2013
//! expect: rc20=robust rc20-observational=robust
//! note: Kang's orderings, with the strengthenings of POPL 2021, section 7, which robustness needs and correctness does not:
//! note: the writes of bottom in pop are release, push has an SC fence between its reads of bottom and top, and a thief has
//! note: one before it starts stealing. The paper says "the write"; the write of pop that puts bottom back needs it as well,
//! note: or a thief that reads it may fail its CAS on an older top than the one pop just wrote.
//! note: Without resizing: the owner pushes TASKS tasks in all, which bounds top and bottom. A task carries data that its
//! note: pusher writes and its runner clears: a task taken twice or without synchronisation fails an assertion or races.

const TASKS = 3;

atomic top: 0..3;
atomic bottom: -1..3;
atomic slot[TASKS]: 0..2;
nonatomic ready[TASKS]: bool;

fn run(task) {
  once = ready[task].load(na);
  assert(once);
  ready[task].store(0, na);
}

fn push(task) {
  ready[task].store(1, na);
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
    bottom.store(b, rel);
    return;
  }
  task = slot[b - 1].load(rlx);
  if (len == 1) {
    (ok, seen) = top.cas(t, t + 1, rel, acq);
    bottom.store(b, rel);
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
  loop {
    b = bottom.load(acq);
    if (b - t <= 0) {
      return;
    }
    task = slot[t].load(rlx);
    (ok, seen) = top.cas(t, t + 1, rel, rlx);
    if (ok) {
      run(task);
      return;
    }
    t = seen;
    fence(sc);
  }
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
