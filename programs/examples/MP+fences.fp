//! title: Message passing with fences
//! source: Margalit and Lahav, POPL 2021, Ex. 3.6 and 4.2
//! expect: rc20=robust rc20-observational=robust rc11=robust
//! note: Reading y = 1 makes the release fence synchronise with the acquire fence, so x = 0 would violate read
//! note: coherence: robust. Right writes nothing, so under SC it may also be late in seeing y = 1, and its loop needs
//! note: no wait.

atomic x: bool, y: bool;

thread left {
  x.store(1, rlx);
  fence(rel);
  y.store(1, rlx);
}

thread right {
  loop {
    a = y.load(rlx);
    if (a != 0) {
      break;
    }
  }
  fence(acq);
  b = x.load(rlx);
  assert(b != 0);
}
