//! title: User-level RCU by quiescent states: three threads that read, write, and go offline
//! source: M. Desnoyers, P. E. McKenney, A. S. Stern, M. R. Dagenais, J. Walpole, "User-level implementations of read-copy update", IEEE TPDS 23(2), 2012
//! source: Under release/acquire in O. Lahav, N. Giannarakis, V. Vafeiadis, "Taming release-acquire consistency", POPL 2016
//! expect: ra=robust
//! note: A thread publishes the epoch that it sees when it goes online and at each quiescent state, and 0 when it goes offline.
//! note: Two of the three threads also write, one at a time. A writer is offline meanwhile: the published synchronize_rcu makes an online writer go offline first and online afterwards.
//! note: "Wait until the other's epoch is 0 or the current one" is a choice between two blocking waits. A wrong choice waits for ever and adds no access.
//! note: Fences stand where the publication has a full barrier that release and acquire do not give: after an own epoch is published, and after a new epoch is.
//! note: Each thread is online ROUNDS times and each writer writes once, so that the epoch is bounded. It must not wrap around: a thread may publish an epoch that it read long ago.

const N = 3;
const ROUNDS = 2;
const WRITERS = 2;

atomic current: bool;
atomic epoch: 1..3 = 1;
atomic seen[N]: 0..3;
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

fn read() {
  version = current.load(acq);
  alive = allocated[version].load(na);
  assert(alive);
}

thread process[N] {
  round = 0;
  loop {
    assume(round < ROUNDS);
    round = round + 1;
    publish(self);
    read();
    either {
      publish(self);
      read();
    } or {}
    seen[self].store(0, rel);
    if (self < WRITERS && round == 1) {
      replace(self);
    }
  }
}
