//! title: Sequence lock, reader with a read-don't-modify-write, release writes
//! source: H.-J. Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012
//! expect: rc20=not-robust rc20-observational=robust
//! note: As seqlock-rdmw.fp, but the writer has release writes of the data instead of the release fence. Three
//! note: threads write and read as they like. A write stores its version into both data, so that a mixed read shows.
//! note: The version stops at LAST, because a version that wraps around lets a slow reader take an old one for a new
//! note: one.

const THREADS = 3;
const LAST = 6;  // the version after which nobody writes any more

atomic version: 0..LAST;
atomic x: 0..LAST, y: 0..LAST;  // the protected data

fn write() {
  loop {
    v = version.load(rlx);
    if (v == LAST) {
      return;
    }
    if (v % 2 == 0) {
      (ok, seen) = version.cas(v, v + 1, acq, rlx);
      if (ok) {
        break;
      }
    }
  }
  x.store(v + 2, rel);
  y.store(v + 2, rel);
  version.store(v + 2, rel);
}

fn read() {
  loop {
    v = version.load(acq);
    if (v % 2 == 0) {
      break;
    }
  }
  a = x.load(rlx);
  b = y.load(rlx);
  version.bcas(v, v, rel);  // read, don't modify, write
  assert(a == v && b == v);
}

thread user[THREADS] {
  loop {
    either {
      write();
    } or {
      read();
    }
  }
}
