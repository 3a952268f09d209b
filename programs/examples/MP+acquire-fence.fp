//! title: Message passing with the acquire fence only
//! source: Margalit and Lahav, POPL 2021, Ex. 3.6
//! expect: rc20=not-robust rc20-observational=not-robust rc11=not-robust
//! note: "Omitting one (or both) of the fences will remove the synchronization": without the release fence x = 0 is
//! note: consistent.

atomic x: bool, y: bool;

thread left {
  x.store(1, rlx);
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
