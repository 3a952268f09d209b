//! title: The work-stealing deque of Chase and Lev, an owner and two thieves, with the fences for TSO
//! source: D. Chase and Y. Lev, "Dynamic circular work-stealing deque", SPAA 2005
//! expect: ra=not-robust
//! note: TSO needs a fence in the owner between a write of bottom and the next read of top: in take, and before the read of top in push.
//! note: Without resizing. The owner pushes TASKS tasks in all, which bounds top and bottom; three are enough for every fence of chase-lev-ra.fp to matter.
//! note: Tasks are numbers; taking one from a slot that never held a task fails the assertion.

const TASKS = 3;

atomic top: 0..TASKS;
atomic bottom: -1..TASKS;
atomic slot[TASKS]: -1..2 = -1;

fn push(task) {
  b = bottom.load(acq);
  fence(sc);
  t = top.load(acq);
  if (b - t < TASKS) {
    slot[b].store(task, rel);
    bottom.store(b + 1, rel);
  }
}

fn take() {
  b = bottom.load(acq);
  b = b - 1;
  bottom.store(b, rel);
  fence(sc);
  t = top.load(acq);
  if (b < t) {
    bottom.store(t, rel);
    return;
  }
  task = slot[b].load(acq);
  if (b == t) {
    (ok, seen) = top.cas(b, b + 1, acqrel);
    bottom.store(b + 1, rel);
    if (!ok) {
      return;
    }
  }
  assert(task >= 0);
}

fn steal() {
  t = top.load(acq);
  b = bottom.load(acq);
  if (b <= t) {
    return;
  }
  task = slot[t].load(acq);
  (ok, seen) = top.cas(t, t + 1, acqrel);
  if (ok) {
    assert(task >= 0);
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
      take();
    }
  }
}

thread thief[2] {
  loop {
    steal();
  }
}
