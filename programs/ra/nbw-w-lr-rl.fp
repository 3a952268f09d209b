//! title: The non-blocking write protocol: a writer, a locker that reads, a reader that locks
//! source: H. Kopetz and J. Reisinger, "The non-blocking write protocol NBW", IEEE Real-Time Systems Symposium 1993
//! source: The combination with a spinlock is of the Trencher benchmarks: A. Bouajjani, E. Derevenetc, R. Meyer, "Checking and enforcing robustness against TSO", ESOP 2013
//! expect: ra=robust
//! note: The fourth thread gives up the spinlock, which is held at first, as in the benchmark.
//! note: Taking the spinlock blocks (BCAS). With a lock whose failed attempts write to it, such as that of spinlock.fp, the program is not robust: see docs/evidence/corpus-ra.md.
//! note: The writer writes three times; with a control field that wraps around, a slow reader could take an old value for a new one.
//! note: The readers loop over the whole protocol; the message has two words, so that a torn read is visible.

const WRITES = 3;

atomic control: 0..6;
atomic message[2]: 0..WRITES;
atomic lock: bool = 1;
nonatomic z: 0..2;

fn read_message() {
  loop {
    begin = control.load(acq);
    first = message[0].load(acq);
    second = message[1].load(acq);
    end = control.load(acq);
    if (begin == end && begin % 2 == 0) {
      assert(first == second);
      return;
    }
  }
}

thread initialiser {
  lock.store(0, rel);
}

thread writer {
  i = 0;
  while (i < WRITES) {
    i = i + 1;
    c = control.load(acq);
    control.store(c + 1, rel);
    message[0].store(i, rel);
    message[1].store(i, rel);
    control.store(c + 2, rel);
  }
}

thread locker_reader {
  loop {
    lock.bcas(0, 1, acqrel);
    z.store(1, na);
    who = z.load(na);
    assert(who == 1);
    lock.store(0, rel);
    read_message();
  }
}

thread reader_locker {
  loop {
    read_message();
    lock.bcas(0, 1, acqrel);
    z.store(2, na);
    who = z.load(na);
    assert(who == 2);
    lock.store(0, rel);
  }
}
