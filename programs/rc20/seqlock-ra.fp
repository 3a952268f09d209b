//! title: Sequence lock, release/acquire only
//! source: H.-J. Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012
//! expect: ra=robust rc20=robust rc20-observational=robust
//! note: The data are read by acquire loads, so whoever reads a new value also knows its version. Three threads write
//! note: and read as they like. A write stores its version into both data, so that a mixed read shows. The version
//! note: stops at LAST, because a version that wraps around lets a slow reader take an old one for a new one.

const THREADS = 3;
const LAST = 6;  // the version after which nobody writes any more

atomic version: 0..LAST;
atomic x: 0..LAST, y: 0..LAST;  // the protected data

fn write() {
  loop {
    v = version.load(acq);
    if (v == LAST) {
      return;
    }
    if (v % 2 == 0) {
      (ok, seen) = version.cas(v, v + 1, acqrel, acq);
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
    loop {
      v = version.load(acq);
      if (v % 2 == 0) {
        break;
      }
    }
    a = x.load(acq);
    b = y.load(acq);
    after = version.load(acq);
    if (v == after) {
      break;
    }
  }
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
