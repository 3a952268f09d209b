//! title: Michael and Scott's queue: an enqueuer and a dequeuer
//! source: GenMC test suite, data-structures/ms-queue; Michael and Scott, PODC 1996
//! expect-executions: rc11=4+1 jam21=4+1
//! note: Pointers are indices of nodes with a counter above them, as in the original. Its lists of free nodes,
//! note: private to each thread, are left out: node 2 is the first of the enqueuer. A round of a loop that changes
//! note: nothing is cut off, as the tool does.

const COUNTER = 0x100000000;
const POINTER = 0xffffffff;
const POISON = 0x666;

atomic head = 1, tail = 1;
atomic next[4] = {0, 0, POISON, POISON};
nonatomic content[4];

fn enqueue(node, value) {
  content[node].store(value, na);
  old = next[node].load(rlx);
  next[node].store(old & ~POINTER, rlx);
  loop {
    t = tail.load(acq);
    n = next[t & POINTER].load(acq);
    again = tail.load(rlx);
    assume(again == t);
    assert((n & POINTER) != POISON);
    if ((n & POINTER) == 0) {
      (linked, _) = next[t & POINTER].cas(n, node | ((n >> 32) + 1) * COUNTER, rel, rlx);
      if (linked) {
        break;
      }
    }
    n = next[t & POINTER].load(acq);
    (helped, _) = tail.cas(t, n & POINTER | ((t >> 32) + 1) * COUNTER, rel, rlx);
    assume(helped);
  }
  tail.cas(t, node | ((t >> 32) + 1) * COUNTER, rel, rlx);
}

fn dequeue() {
  loop {
    h = head.load(acq);
    t = tail.load(rlx);
    n = next[h & POINTER].load(acq);
    again = head.load(rlx);
    assume(again == h);
    if ((h & POINTER) == (t & POINTER)) {
      assert((n & POINTER) != POISON);
      if ((n & POINTER) == 0) {
        return -1;  // empty
      }
      (helped, _) = tail.cas(t, n & POINTER | ((t >> 32) + 1) * COUNTER, rel, rlx);
      assume(helped);
    } else {
      value = content[n & POINTER].load(na);
      (ok, _) = head.cas(h, n & POINTER | ((h >> 32) + 1) * COUNTER, rel, rlx);
      assume(ok);
      return value;
    }
  }
}

thread writer {
  enqueue(2, 0);
}

thread reader {
  dequeue();
}
