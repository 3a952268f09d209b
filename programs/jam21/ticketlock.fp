//! title: A ticket lock: two threads
//! source: GenMC test suite, data-structures/ticketlock
//! expect-executions: rc11=2+1 jam21=2+1
//! note: Waiting for the ticket is a read and an assumption. Both threads write 0, as in the original.

atomic next_ticket, owner;
nonatomic data;

fn acquire() {
  ticket = next_ticket.fetch_add(1, rlx);
  now = owner.load(acq);
  assume(now == ticket);
}

fn release() {
  now = owner.load(rlx);
  owner.store(now + 1, rel);
}

thread t[2] {
  acquire();
  data.store(0, na);
  r = data.load(na);
  assert(r == 0);
  release();
}
