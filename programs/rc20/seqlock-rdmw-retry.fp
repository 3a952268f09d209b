//! title: Sequence lock, reader with fetch_add(0) that tries again
//! source: H.-J. Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012
//! expect: rc20=not-robust rc20-observational=not-robust
//! note: As seqlock-rdmw.fp, with Boehm's fetch_add(0, release) and its loop. Not a row of the paper's table. Not
//! note: even observationally robust: the version goes 0, 1 (CAS), 2 (store), 3 (CAS). A reader that started at 0 and
//! note: then read the data of the second write may place its RMW right after 1, which was overwritten by a store and
//! note: not by an RMW. Under SC it comes after 3. It then finds 1 instead of 0 and tries again, so nothing goes
//! note: wrong; but an RMW is also a write, and the definition keeps mo edges even where no value depends on them
//! note: (section 4.1). Three threads write and read as they like. A write stores its version into both data, so that
//! note: a mixed read shows. The version stops at LAST, because a version that wraps around lets a slow reader take
//! note: an old one for a new one.

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
    after = version.fetch_add(0, rel);
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
