//! title: Two SC fences with a relaxed relay between
//! source: Margalit and Lahav, POPL 2021, Remark 1; our example
//! expect: rc20=robust rc20-observational=robust rc11=not-robust
//! note: RC20's SC fences are stronger than RC11's. First's fence comes before last's in every execution in which
//! note: both messages arrive: RC20 orders SC fences by ([Fsc] ; (po | rf)+ ; [Fsc]), so last knows x = 1. In RC11
//! note: the relaxed relay breaks happens-before, hb ; eco ; hb has only one eco step, and nothing leads from first's
//! note: fence to last's: a = b = 1, c = 0 has an acyclic psc and is allowed.

atomic x: bool, y: bool, z: bool;

thread first {
  x.store(1, rlx);
  fence(sc);
  y.store(1, rlx);
}

thread relay {
  a = y.load(rlx);
  z.store(a, rlx);
}

thread last {
  b = z.load(rlx);
  fence(sc);
  c = x.load(rlx);
  assert(b == 0 || c == 1);
}
