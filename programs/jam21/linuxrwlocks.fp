//! title: The readers-writer lock of Linux: a writer and a reader
//! source: GenMC test suite, data-structures/linuxrwlocks
//! expect-executions: rc11=2+2 jam21=2+2
//! note: Who does not get the lock takes back its change and tries again. The tool cuts off such a round, which
//! note: changes nothing in the end; so does the assumption here.

const BIAS = 0x100000;

atomic lock = BIAS;
nonatomic data;

fn read_lock() {
  before = lock.fetch_sub(1, acq);
  if (before <= 0) {
    lock.fetch_add(1, rlx);
    assume(false);
  }
}

fn read_unlock() {
  lock.fetch_add(1, rel);
}

fn write_lock() {
  before = lock.fetch_sub(BIAS, acq);
  if (before != BIAS) {
    lock.fetch_add(BIAS, rlx);
    assume(false);
  }
}

fn write_unlock() {
  lock.fetch_add(BIAS, rel);
}

thread writer {
  write_lock();
  data.store(42, na);
  write_unlock();
}

thread reader {
  read_lock();
  d = data.load(na);
  read_unlock();
}
