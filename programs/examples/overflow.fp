//! title: One thread whose sum wraps around
//! source: Lahav and Margalit, PLDI 2019, Ex. 2.2
//! expect: ra=robust rc20=robust rc20-observational=robust rc11=robust
//! note: Values are 0 to 4 and sums wrap. One thread alone knows all of its own writes: robust.

atomic x: 0..4;

thread only {
  var r: 0..4 = 4;
  r = r + 2;
  assert(r == 1);
again:
  r = r + 1;
  if (r < 2) {
    goto again;
  }
  x.store(r, rel);
  seen = x.load(acq);
  assert(seen == 2);
}
