//! title: The Linux spinlock with relaxed spinning, 4 threads
//! source: S. Owens, "Reasoning about the implementation of concurrency abstractions on x86-TSO", ECOOP 2010, figure 2
//! expect: rc20=robust rc20-observational=robust
//! note: As ../ra/spinlock4.fp with the weakest orderings that keep it a lock: an acquire decrement takes the lock, a
//! note: release write gives it back, and a waiting thread spins with relaxed reads.

const N = 4;

atomic lock: -3..1 = 1;
nonatomic inside: 0..N;

thread process[N] {
  loop {
    loop {
      free = lock.fetch_sub(1, acq);
      if (free > 0) {
        break;
      }
      loop {
        free = lock.load(rlx);
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
