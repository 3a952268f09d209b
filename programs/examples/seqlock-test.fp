//! title: Sequence lock, one writer and one reader
//! source: Margalit and Lahav, POPL 2021, Fig. 3 and Ex. 4.8 (reconstructed from the text)
//! expect: rc20=not-robust rc20-observational=robust rc11=not-robust
//! note: The writer makes the version z odd, writes x and y, and makes it even, twice. The reader may read x = 2 and
//! note: then y = 0, which no interleaving allows: not robust. Having read x = 2, its acquire fence synchronises with
//! note: the writer's release fence, so it reads z >= 3 and not 0 again, and throws both values away: observationally
//! note: robust (Ex. 4.10).

atomic x: 0..2, y: 0..2;
atomic z: 0..4;

thread writer {
  i = 1;
  while (i <= 2) {
    z.store(2 * i - 1, rlx);
    fence(rel);
    x.store(i, rlx);
    y.store(i, rlx);
    z.store(2 * i, rel);
    i = i + 1;
  }
}

thread reader {
  loop {
    before = z.load(acq);
    if (before % 2 == 0) {
      a = x.load(rlx);
      b = y.load(rlx);
      fence(acq);
      after = z.load(rlx);
      if (before == after) {
        break;
      }
    }
  }
  assert(a == b);
}
