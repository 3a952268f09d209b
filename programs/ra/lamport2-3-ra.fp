//! title: Lamport's fast mutual exclusion algorithm for 3 threads, with the fences for RA
//! source: L. Lamport, "A fast mutual exclusion algorithm", ACM Transactions on Computer Systems 5(1), 1987, algorithm 2
//! expect: ra=robust
//! note: Beyond the fences of lamport2-ra.fp, one before each read of another thread's b: with three threads, a thread can learn of a write to x and miss the write to b that comes before the x it overwrote.
//! note: Lamport writes "await" where this program waits. A thread does not wait for itself: its own b is 0 by then.
//! note: The critical section is one non-atomic write: two threads in it would race.

const N = 3;

atomic b[N]: bool;
atomic x: 0..N;
atomic y: 0..N;
nonatomic inside: 0..N;

thread process[N] {
  me = self + 1;
  loop {
  start:
    b[self].store(1, rel);
    fence(sc);
    x.store(me, rel);
    fence(sc);
    owner = y.load(acq);
    if (owner != 0) {
      b[self].store(0, rel);
      wait(y == 0, acq);
      goto start;
    }
    y.store(me, rel);
    fence(sc);
    last = x.load(acq);
    if (last != me) {
      b[self].store(0, rel);
      j = 0;
      while (j < N) {
        if (j != self) {
          fence(sc);
          wait(b[j] == 0, acq);
        }
        j = j + 1;
      }
      owner = y.load(acq);
      if (owner != me) {
        wait(y == 0, acq);
        goto start;
      }
    }
    inside.store(me, na);
    y.store(0, rel);
    b[self].store(0, rel);
  }
}
