//! title: Chase and Lev's work-stealing deque with relaxed accesses, tasks with data
//! source: J. Kang, Crossbeam RFC "deque-proof", 2018, after Chase and Lev, SPAA 2005, and Lê et al., PPoPP 2013
//! expect: rc20=robust rc20-observational=robust
//! note: As chase-lev.fp, with two tasks that carry data: the pusher writes them and the runner clears them without
//! note: synchronisation of their own, so that a task that is run twice or before it is known fails an assertion or
//! note: races. Not a row of the paper's table.

const TASKS = 2;
const NONE = 2;

atomic top: 0..TASKS;
atomic bottom: -1..TASKS;
atomic slot[TASKS]: 0..NONE = NONE;
nonatomic ready[TASKS]: bool;

fn run(task) {
  assert(task != NONE);
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
