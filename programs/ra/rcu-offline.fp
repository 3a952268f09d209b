//! title: User-level RCU by quiescent states: three threads that read, write, and go offline
//! source: M. Desnoyers, P. E. McKenney, A. S. Stern, M. R. Dagenais, J. Walpole, "User-level implementations of read-copy update", IEEE TPDS 23(2), 2012
//! source: Under release/acquire in O. Lahav, N. Giannarakis, V. Vafeiadis, "Taming release-acquire consistency", POPL 2016
//! expect: ra=robust
//! note: A thread's epoch is 0 while it is offline. A writer goes offline itself, so that two writers do not wait for each other.
//! note: "Wait until the epoch is 0 or the current one" is a choice between two blocking waits. The wrong choice ends in a thread that waits for ever, and adds no access.
//! note: Fences stand where the publication has a full barrier that release and acquire do not give: after an own epoch is published, and after a new epoch is.
//! note: Each thread writes at most WRITES times, so that the grace period counter is bounded. It cannot wrap around: a thread may publish an epoch that it read long ago.

const N = 3;
const WRITES = 1;

atomic current: bool;
atomic epoch: 1..4 = 1;
atomic seen[N]: 0..4;
atomic lock: bool;
nonatomic allocated[2]: bool = {1, 0};

fn publish(me) {
  now = epoch.load(acq);
  seen[me].store(now, rel);
  fence(sc);
}

fn grace_period(me) {
  now = epoch.load(acq);
  now = now + 1;
  epoch.store(now, rel);
  fence(sc);
  other = 0;
  while (other < N) {
    if (other != me) {
      either {
        wait(seen[other] == 0, acq);
      } or {
        wait(seen[other] == now, acq);
      }
    }
    other = other + 1;
  }
}

fn replace(me) {
  lock.bcas(0, 1, acqrel);
  old = current.load(acq);
  allocated[1 - old].store(1, na);
  current.store(1 - old, rel);
  grace_period(me);
  allocated[old].store(0, na);
  lock.store(0, rel);
}

thread process[N] {
  online = 0;
  writes = 0;
  loop {
    either {
      if (online) {
        version = current.load(acq);
        alive = allocated[version].load(na);
        assert(alive);
      }
    } or {
      if (online) {
        publish(self);
      }
    } or {
      if (online) {
        seen[self].store(0, rel);
        online = 0;
      } else {
        publish(self);
        online = 1;
      }
    } or {
      if (writes < WRITES) {
        writes = writes + 1;
        if (online) {
          seen[self].store(0, rel);
        }
        replace(self);
        if (online) {
          publish(self);
        }
      }
    }
  }
}
