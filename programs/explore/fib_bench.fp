//! title: Two threads compute Fibonacci numbers from each other, a third looks
//! source: GenMC's test suite, synthetic/fib_bench (variant 0): 525,630 executions under RC11
//! expect-executions: rc11=525630+0

const NUM = 5;

atomic x = 1, y = 1;

thread first {
  i = 0;
  while (i < NUM) {
    a = x.load(acq);
    b = y.load(acq);
    x.store(a + b, rel);
    i = i + 1;
  }
}

thread second {
  i = 0;
  while (i < NUM) {
    a = x.load(acq);
    b = y.load(acq);
    y.store(a + b, rel);
    i = i + 1;
  }
}

thread looking {
  a = x.load(acq);
  if (a > 144) assert(false);
  b = y.load(acq);
  if (b > 144) assert(false);
}
