//! title: Sequence lock, reader with a read-don't-modify-write
//! source: H.-J. Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012
//! expect: rc20=not-robust rc20-observational=robust
//! note: Boehm's reader that reads the version again by a read-don't-modify-write, an RMW that writes back what it
//! note: read. It is a blocking CAS here (section 7: "use BCAS instead of CAS"): a reader whose version is gone stays
//! note: blocked instead of reading again. With fetch_add(0) and a new attempt it is not robust: see
//! note: seqlock-rdmw-retry.fp. Not robust: the relaxed reads of the data may mix an old and a new value; such a
//! note: reader never uses them. The writer has relaxed writes of the data after a release fence. Three threads write
//! note: and read as they like. A write stores its version into both data, so that a mixed read shows. The version
//! note: stops at LAST, because a version that wraps around lets a slow reader take an old one for a new one.

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
