//! title: The queue of qu.fp with relaxed accesses
//! source: GenMC test suite, data-structures/qu-opt; Pulte et al., PLDI 2019
//! expect-executions: rc11=1+1 jam21=1+1
//! note: With relaxed accesses, the contents of a node race. The thesis ran the test with race detection on, so its
//! note: figures are those of a run that stopped at the first race; without it, the test suite expects 132 executions
//! note: under RC11.

const NULL = 0;
const DUMMY = 1;

atomic head, tail, initialised: bool;
atomic next[4];
nonatomic content[4];

fn find_tail() {
  node = tail.load(rlx);
  n = next[node].load(rlx);
  if (n == NULL) {
    return node;
  }
  tail.store(n, rlx);
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
    tail.store(node, rlx);
  }
}

fn try_dequeue() {
  h = head.load(rlx);
  node = next[h].load(rlx);
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
