//! title: Independent reads of independent writes
//! source: Lahav and Margalit, PLDI 2019, Ex. 3.3
//! expect: ra=not-robust rc20=not-robust rc20-observational=robust rc11=not-robust
//! note: The two readers may see the writes in opposite orders: RA is not multi-copy-atomic. Under SC one write is
//! note: first for both. Nothing depends on what is read, so it is observationally robust.

atomic x: bool, y: bool;

thread writer_x {
  x.store(1, rel);
}

thread reader_xy {
  a = x.load(acq);
  b = y.load(acq);
}

thread reader_yx {
  c = y.load(acq);
  d = x.load(acq);
}

thread writer_y {
  y.store(1, rel);
}
