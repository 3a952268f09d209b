//! title: The work-stealing queue of Cilk-5 (THE protocol)
//! source: M. Frigo, C. E. Leiserson, K. H. Randall, "The implementation of the Cilk-5 multithreaded language", PLDI 1998, figure 4
//! expect: ra=not-robust
//! note: As published for sequential consistency, with release stores and acquire loads.
//! note: The lock is a blocking CAS. head and tail only grow by stealing, so a queue of TASKS slots bounds the program.
//! note: A task that runs twice, or before it is there, fails the assertion.

const TASKS = 3;

atomic head: 0..4;
atomic tail: -1..3;
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
