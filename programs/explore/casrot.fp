//! title: Nine threads each move a location from its own number to the next
//! source: GenMC's test suite, synthetic/casrot with N=9: 8,597 executions under RC11
//! expect-executions: rc11=8597+0

const N = 9;

atomic x;

thread worker[N] {
  x.cas(self, self + 1, rlx, rlx);
}
