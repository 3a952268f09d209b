//! title: The Linux ticket lock, 4 threads
//! source: S. Owens, "Reasoning about the implementation of concurrency abstractions on x86-TSO", ECOOP 2010
//! expect: ra=robust
//! note: Tickets count modulo the number of threads: each thread holds at most one, so no two tickets in use are equal.

const N = 4;

atomic next: 0..3;
atomic serving: 0..3;
nonatomic inside: 0..3;

thread process[N] {
  loop {
    ticket = next.fetch_add(1, acqrel);
    loop {
      now = serving.load(acq);
      if (now == ticket) {
        break;
      }
    }
    inside.store(self, na);
    who = inside.load(na);
    assert(who == self);
    serving.store(ticket + 1, rel);
  }
}
