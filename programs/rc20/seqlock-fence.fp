//! title: Sequence lock, reader with an acquire fence
//! source: H.-J. Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012
//! expect: rc20=not-robust rc20-observational=robust
//! note: Boehm's reader with an acquire fence before the second read of the version; the writer's data are relaxed
//! note: writes after a release fence, which the reader's fence synchronises with. Not robust: the relaxed reads of
//! note: the data may mix an old and a new value. Observationally robust: the reader then finds another version and
//! note: throws them away (Ex. 4.8). Three threads write and read as they like. A write stores its version into both
//! note: data, so that a mixed read shows. The version stops at LAST, because a version that wraps around lets a slow
//! note: reader take an old one for a new one.

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
  fence(rel);
  x.store(v + 2, rlx);
  y.store(v + 2, rlx);
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
    a = x.load(rlx);
    b = y.load(rlx);
    fence(acq);
    after = version.load(rlx);
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
