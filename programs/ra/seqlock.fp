//! title: A sequence lock with two writers and two readers
//! source: H.-J. Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012
//! expect: ra=robust
//! note: Boehm's writer, which takes the lock by a CAS that makes the sequence number odd; the data are read by acquire loads.
//! note: Each writer writes twice: with sequence numbers that wrap around, a slow reader could take an old number for a new one.

const WRITERS = 2;
const READERS = 2;
const WRITES = 2;

atomic seq: 0..8;
atomic data1: 0..2;
atomic data2: 0..2;

thread writer[WRITERS] {
  i = 0;
  while (i < WRITES) {
    loop {
      before = seq.load(acq);
      if (before % 2 == 0) {
        (ok, before) = seq.cas(before, before + 1, acqrel);
        if (ok) {
          break;
        }
      }
    }
    data1.store(self + 1, rel);
    data2.store(self + 1, rel);
    seq.store(before + 2, rel);
    i = i + 1;
  }
}

thread reader[READERS] {
  loop {
    loop {
      before = seq.load(acq);
      value1 = data1.load(acq);
      value2 = data2.load(acq);
      after = seq.load(acq);
      if (before == after && before % 2 == 0) {
        break;
      }
    }
    assert(value1 == value2);
  }
}
