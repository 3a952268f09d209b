//! title: Michael and Scott's queue with plain writes of the tail: two enqueuers and a dequeuer
//! source: GenMC test suite, data-structures/qu; Pulte et al., PLDI 2019
//! expect-executions: rc11=75+0 jam21=75+0
//! note: Pointers are indices of nodes. The first thread sets up the queue; the others do nothing if they see it
//! note: unready. By the definition of JAM21 there are 39 executions: release and acquire accesses keep what is
//! note: before them in order with what is after them, also on other locations. The thesis's tool orders only the two
//! note: events next to such an access, and finds 75.

const NULL = 0;
const DUMMY = 1;

atomic head, tail, initialised: bool;
atomic next[4];
nonatomic content[4];

fn find_tail() {
  node = tail.load(acq);
  n = next[node].load(rlx);
  if (n == NULL) {
    return node;
  }
  tail.store(n, rel);
  return NULL;
}

fn try_enqueue(node, value) {
  content[node].store(value, na);
  next[node].store(NULL, rlx);
  last = NULL;
  while (last == NULL) {
    last = find_tail();
  }
  (ok, _) = next[last].cas(NULL, node, rel, rlx);
  if (ok) {
    tail.store(node, rel);
  }
}

fn try_dequeue() {
  h = head.load(acq);
  node = next[h].load(acq);
  if (node == NULL) {
    return -1;
  }
  (ok, _) = head.cas(h, node, rlx, rlx);
  if (ok) {
    value = content[node].load(na);
    return value;
  }
  return -2;
}

thread t1 {
  next[DUMMY].store(NULL, rel);
  head.store(DUMMY, rel);
  tail.store(DUMMY, rel);
  initialised.store(1, rel);
  try_enqueue(2, 1);
}

thread t2 {
  ready = initialised.load(acq);
  if (ready) {
    try_enqueue(3, 1);
  }
}

thread t3 {
  ready = initialised.load(acq);
  if (ready) {
    try_dequeue();
  }
}
