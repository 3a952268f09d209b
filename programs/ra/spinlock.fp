//! title: The Linux spinlock, 2 threads
//! source: S. Owens, "Reasoning about the implementation of concurrency abstractions on x86-TSO", ECOOP 2010, figure 2
//! expect: ra=robust
//! note: The lock is 1 when free; a thread that takes it to 0 has it, one that takes it below waits until it is positive and tries again.

const N = 2;

atomic lock: -1..1 = 1;
nonatomic inside: 0..N;

thread process[N] {
  loop {
    loop {
      free = lock.fetch_sub(1, acqrel);
      if (free > 0) {
        break;
      }
      loop {
        free = lock.load(acq);
        if (free > 0) {
          break;
        }
      }
    }
    inside.store(self, na);
    who = inside.load(na);
    assert(who == self);
    lock.store(1, rel);
  }
}
