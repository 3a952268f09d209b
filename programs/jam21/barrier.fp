//! title: A spinning barrier of two threads
//! source: GenMC test suite, data-structures/barrier
//! expect-executions: rc11=2+1 jam21=2+1
//! note: The loop of whoever comes first is a read and an assumption. The data is nonatomic: the barrier must order
//! note: it.

const N = 2;

atomic waiting, step;
nonatomic data;

fn pass_barrier() {
  s = step.load(sc);
  before = waiting.fetch_add(1, sc);
  if (before == N - 1) {
    waiting.store(0, sc);
    step.fetch_add(1, sc);
  } else {
    now = step.load(sc);
    assume(now != s);
  }
}

thread writer {
  data.store(42, na);
  pass_barrier();
}

thread reader {
  pass_barrier();
  d = data.load(na);
}
