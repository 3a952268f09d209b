//! title: A ticket lock with a waiting array: two threads
//! source: GenMC test suite, data-structures/twalock; Dice and Kogan, Euro-Par 2019
//! expect-executions: rc11=4+1 jam21=4+1
//! note: With two threads nobody is more than one ticket away, so nobody waits in the array; the assertion says so.
//! note: The array has 4096 counters in the original and 4 here, of which two are touched.

const COUNTERS = 4;

atomic ticket, grant;
atomic counter[COUNTERS];
nonatomic data;

fn acquire() {
  mine = ticket.fetch_add(1, rlx);
  now = grant.load(acq);
  assert(mine - now <= 1);
  if (mine != now) {
    now = grant.load(acq);
    assume(now == mine);
  }
}

fn release() {
  now = grant.load(rlx);
  grant.store(now + 1, rel);
  counter[(now + 2) % COUNTERS].fetch_add(1, rel);
}

thread t[2] {
  acquire();
  data.store(self, na);
  r = data.load(na);
  assert(r == self);
  release();
}
