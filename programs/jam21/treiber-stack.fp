//! title: Treiber's stack with counted pointers: two pushers and a popper
//! source: GenMC test suite, data-structures/treiber-stack; Treiber, 1986
//! expect-executions: rc11=18+4 jam21=18+4
//! note: Pointers are indices of nodes with a counter above them, as in the original. Its lists of free nodes,
//! note: private to each thread, are left out: the first free node of a thread is 1 + 4 * thread. A round of pop that
//! note: fails changes nothing and is cut off; one of push has written next, and goes on.

const COUNTER = 0x100000000;
const POINTER = 0xffffffff;
const POISON = 0x666;

atomic top;
atomic next[6] = POISON;
nonatomic content[6];
atomic x[2];

fn push(node, value) {
  content[node].store(value, na);
  loop {
    old = top.load(acq);
    next[node].store(old, rlx);
    (ok, _) = top.cas(old, node | ((old >> 32) + 1) * COUNTER, rel, rlx);
    if (ok) {
      break;
    }
  }
}

fn pop() {
  old = top.load(acq);
  if ((old & POINTER) == 0) {
    return 0;  // empty
  }
  n = next[old & POINTER].load(rlx);
  (ok, _) = top.cas(old, n & POINTER | ((old >> 32) + 1) * COUNTER, rel, rlx);
  assume(ok);
  value = content[old & POINTER].load(na);
  return value;
}

thread pusher[2] {
  x[self].store(self + 42, rlx);
  push(1 + 4 * self, self);
}

thread popper {
  at = pop();
  if (at != 0) {
    r = x[at].load(rlx);
  }
}
