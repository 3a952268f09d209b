//! title: Seven threads increment one location
//! source: GenMC's test suite, synthetic/ainc with N=7: 5,040 executions under RC11
//! expect-executions: rc11=5040+0

const N = 7;

atomic x;

thread worker[N] {
  x.fetch_add(1, rlx);
}
