//! title: Lamport's fast mutual exclusion algorithm for 2 threads, with the fences for RA
//! source: L. Lamport, "A fast mutual exclusion algorithm", ACM Transactions on Computer Systems 5(1), 1987, algorithm 2
//! expect: ra=robust
//! note: Beyond the fences for TSO, one before the write of x: under RA, overwriting another thread's x teaches nothing about what that thread wrote before.
//! note: Lamport writes "await" where this program waits.

const N = 2;

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
        wait(b[j] == 0, acq);
        j = j + 1;
      }
      owner = y.load(acq);
      if (owner != me) {
        wait(y == 0, acq);
        goto start;
      }
    }
    inside.store(me, na);
    who = inside.load(na);
    assert(who == me);
    y.store(0, rel);
    b[self].store(0, rel);
  }
}
