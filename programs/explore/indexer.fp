//! title: Fifteen threads each insert four entries into a hash table with open addressing
//! source: GenMC's test suite, synthetic/indexer with N=15: 4,096 executions under RC11
//! expect-executions: rc11=4096+0

const SIZE = 128;
const MAX = 4;
const N = 15;

atomic table[SIZE];

thread worker[N] {
  i = 0;
  while (i < MAX) {
    w = i * 11 + self;
    h = w * 7 % SIZE;
    loop {
      (ok, old) = table[h].cas(0, w, rlx, rlx);
      if (ok) break;
      h = (h + 1) % SIZE;
    }
    i = i + 1;
  }
}
