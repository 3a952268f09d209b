//! title: A pool of workers that take tickets, each of which writes its own result
//! source: ours

const WORKERS = 3;

atomic next, finished;
nonatomic result[WORKERS];

thread worker[WORKERS] {
  ticket = next.fetch_add(1, acqrel);
  assert(ticket >= 0);
  assert(ticket < WORKERS);
  result[self].store(self + 1, na);
  mine = result[self].load(na);
  assert(mine == self + 1);
  finished.fetch_add(1, acqrel);
}

thread main {
  wait(finished == WORKERS, acq);
  total = 0;
  i = 0;
  while (i < WORKERS) {
    r = result[i].load(na);
    total = total + r;
    i = i + 1;
  }
  assert(total <= 6);
  assert(i == WORKERS);
}
