//! title: Rust's Arc: three threads that take and drop references
//! source: alloc::sync::Arc of the Rust standard library, 2020 (clone, drop, Weak::upgrade); Doko and Vafeiadis, ESOP 2017
//! expect: rc20=robust rc20-observational=robust
//! note: clone is a relaxed increment, drop a release decrement, and whoever drops the last reference runs an acquire
//! note: fence and the destructor. A thread that has dropped its reference is offline; it comes back online by
//! note: Weak::upgrade, the only way to a reference for a thread that holds none: relaxed, and never from 0.
//! note: Increments between a drop and the last drop are relaxed RMWs inside a release sequence. The destructor
//! note: writes the object without synchronisation of its own, so a missing happens-before is a race, and a use after
//! note: it fails an assertion. A thread holds at most two references at once; the count of weak references, which
//! note: only frees memory, is left out.

const THREADS = 3;

atomic strong: 0..6 = 3;  // every thread starts with a reference
nonatomic alive: bool = 1;

fn use_object() {
  ok = alive.load(na);
  assert(ok);
}

fn drop_reference() {
  before = strong.fetch_sub(1, rel);
  if (before == 1) {
    fence(acq);
    alive.store(0, na);  // the destructor
  }
}

fn upgrade() {
  count = strong.load(rlx);
  loop {
    if (count == 0) {
      return 0;
    }
    (ok, seen) = strong.cas(count, count + 1, rlx, rlx);
    if (ok) {
      return 1;
    }
    count = seen;
  }
}

thread user[THREADS] {
  loop {
    use_object();
    either {
      strong.fetch_add(1, rlx);  // clone
      use_object();
      drop_reference();
    } or {}
    drop_reference();
    online = upgrade();
    if (!online) {
      return;
    }
  }
}
