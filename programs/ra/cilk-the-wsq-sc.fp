//! title: The work-stealing queue of Cilk-5 (THE protocol)
//! source: M. Frigo, C. E. Leiserson, K. H. Randall, "The implementation of the Cilk-5 multithreaded language", PLDI 1998, figure 4
//! expect: ra=not-robust
//! note: As published for sequential consistency, with release stores and acquire loads.
//! note: The lock is a blocking CAS. Without wrap-around: a queue of TASKS slots, of which a stolen one is not used again.
//! note: A task that runs twice, or before it is there, fails the assertion.

const TASKS = 3;

atomic head: 0..4;  // one past the last task while a thief tries
atomic tail: -1..TASKS;
atomic lock: bool;
nonatomic ready[TASKS]: bool;

fn run(task) {
  once = ready[task].load(na);
  assert(once);
  ready[task].store(0, na);
}

fn push() {
  t = tail.load(acq);
  if (t < TASKS) {
    ready[t].store(1, na);
    tail.store(t + 1, rel);
  }
}

fn pop() {
  t = tail.load(acq);
  t = t - 1;
  tail.store(t, rel);
  h = head.load(acq);
  if (h > t) {
    tail.store(t + 1, rel);
    lock.bcas(0, 1, acqrel);
    tail.store(t, rel);
    h = head.load(acq);
    if (h > t) {
      tail.store(t + 1, rel);
      lock.store(0, rel);
      return;
    }
    lock.store(0, rel);
  }
  run(t);
}

fn steal() {
  lock.bcas(0, 1, acqrel);
  h = head.load(acq);
  h = h + 1;
  head.store(h, rel);
  t = tail.load(acq);
  if (h > t) {
    head.store(h - 1, rel);
    lock.store(0, rel);
    return;
  }
  lock.store(0, rel);
  run(h - 1);
}

thread worker {
  loop {
    either {
      push();
    } or {
      pop();
    }
  }
}

thread thief {
  loop {
    steal();
  }
}
