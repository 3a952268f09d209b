//! title: Peterson's lock with SC accesses, where waiting gives up
//! source: GenMC's test suite, synthetic/peterson-sc: 4 executions under RC11; paper 004 §6.3 (203 linearisations each)

atomic flag[2], turn, x;

thread process[2] {
  flag[self].store(1, sc);
  turn.store(1 - self, sc);
  other = flag[1 - self].load(sc);
  if (other == 1) {
    whose = turn.load(sc);
    assume(whose != 1 - self);
  }
  x.store(self, sc);
  value = x.load(sc);
  flag[self].store(0, sc);
}
