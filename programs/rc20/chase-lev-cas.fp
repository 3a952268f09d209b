//! title: Chase and Lev's work-stealing deque with relaxed accesses, thieves that try again
//! source: J. Kang, Crossbeam RFC "deque-proof", 2018, after Chase and Lev, SPAA 2005, and Lê et al., PPoPP 2013
//! expect: rc20=not-robust rc20-observational=not-robust
//! note: As chase-lev.fp, with Kang's loop around the CAS of a thief. Not a row of the paper's table. A thief that
//! note: reads bottom as pop put it back knows (under SC) the top that pop wrote just before; its CAS fails, but may
//! note: read an older top. Making that write of pop release too is not enough: a failed CAS reads top, the other
//! note: thief's next CAS on top comes after that read (fr) and so after whatever the first thief had read of bottom,
//! note: but nothing of it is in happens-before: the other thief may go on to read an older bottom. Both are
//! note: harmless, since a stale thief only fails again.

const TASKS = 2;
const NONE = 2;

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
