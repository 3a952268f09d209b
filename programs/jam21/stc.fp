//! title: Treiber's stack: two pushes and a pop, against a pop and a push
//! source: GenMC test suite, data-structures/stc; Pulte et al., PLDI 2019
//! expect-executions: rc11=37+0 jam21=37+0
//! note: Pointers are indices of nodes. The original has a third thread that does nothing.

const NULL = 0;

atomic head;
atomic content[4], next[4];

fn try_push(node, value) {
  content[node].store(value, rlx);
  h = head.load(rlx);
  next[node].store(h, rlx);
  (ok, _) = head.cas(h, node, rel, rlx);
  return ok;
}

fn try_pop() {
  h = head.load(acq);
  if (h == NULL) {
    return -1;
  }
  value = content[h].load(rlx);
  n = next[h].load(rlx);
  (ok, _) = head.cas(h, n, rel, rlx);
  return ok ? value : -2;
}

thread t1 {
  pushed = try_push(1, 1);
  try_push(2, 1 + pushed);
  try_pop();
}

thread t2 {
  try_pop();
  try_push(3, 1);
}
