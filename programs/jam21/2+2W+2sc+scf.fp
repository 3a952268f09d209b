//! title: 2+2W, SC accesses against an SC fence
//! source: GenMC test suite, litmus/2+2W+2sc+scf; Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory models", 2012
//! expect-executions: rc11=3+0 jam21=4+0
//! note: JAM21 sees no order between writes that nobody reads (Rączkiewicz, 2025, section 6.1.4).

atomic x, y;

thread t1 {
  x.store(1, sc);
  y.store(2, sc);
}

thread t2 {
  y.store(1, rlx);
  fence(sc);
  x.store(2, rlx);
}
