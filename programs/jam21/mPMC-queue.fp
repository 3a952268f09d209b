//! title: A bounded queue of many producers and consumers: one element, a producer and a consumer
//! source: GenMC test suite, data-structures/mpmc-queue
//! expect-executions: rc11=3+4 jam21=3+4
//! note: The test suite calls it mpmc-queue. The first element, which main puts in before the threads start, is in
//! note: the initial values: one write begun and one completed. The CAS are weak in the original, but the tool never
//! note: lets them fail for no reason; one that fails changes nothing, and the round is cut off.

const SLOTS = 4;

// Writes that have begun, and above them reads; then reads and writes that are complete.
atomic begun = 1;
atomic read_count, written_count = 1;
nonatomic slot[SLOTS] = {17, 0, 0, 0};

fn write_prepare() {
  both = begun.load(acq);
  reads = both >> 16 & 0xffff;
  writes = both & 0xffff;
  if (writes == (reads + SLOTS & 0xffff)) {
    return -1;  // full
  }
  (ok, _) = begun.cas(both, reads << 16 | (writes + 1 & 0xffff), acqrel, acq);
  assume(ok);
  done = read_count.load(acq);
  assume((done & 0xffff) == reads);
  return writes % SLOTS;
}

fn read_fetch() {
  both = begun.load(acq);
  reads = both >> 16 & 0xffff;
  writes = both & 0xffff;
  if (writes == reads) {
    return -1;  // empty
  }
  (ok, _) = begun.cas(both, both + (1 << 16), acqrel, acq);
  assume(ok);
  done = written_count.load(acq);
  assume((done & 0xffff) == writes);
  return reads % SLOTS;
}

thread producer {
  at = write_prepare();
  slot[at].store(1, na);
  written_count.fetch_add(1, rel);
}

thread consumer {
  loop {
    at = read_fetch();
    if (at == -1) {
      break;
    }
    read_count.fetch_add(1, rel);
  }
}
