//! The skeletons of the classical litmus tests: which thread reads and writes which location.

/// `W(location)` or `R(location)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    W(usize),
    R(usize),
}

use Access::{R, W};

pub(super) type Shape = &'static [&'static [Access]];

pub(super) const SHAPES: &[Shape] = &[
    // SB, MP, LB, 2+2W, S, R
    &[&[W(0), R(1)], &[W(1), R(0)]],
    &[&[W(0), W(1)], &[R(1), R(0)]],
    &[&[R(0), W(1)], &[R(1), W(0)]],
    &[&[W(0), W(1)], &[W(1), W(0)]],
    &[&[W(0), W(1)], &[R(1), W(0)]],
    &[&[W(0), W(1)], &[W(1), R(0)]],
    // IRIW, WRC, RWC, W+RWC, ISA2
    &[&[W(0)], &[W(1)], &[R(0), R(1)], &[R(1), R(0)]],
    &[&[W(0)], &[R(0), W(1)], &[R(1), R(0)]],
    &[&[W(0)], &[R(0), R(1)], &[W(1), R(0)]],
    &[&[W(0), W(2)], &[R(2), R(1)], &[W(1), R(0)]],
    &[&[W(0), W(1)], &[R(1), W(2)], &[R(2), R(0)]],
    // SB, 2+2W and Z6 of three threads
    &[&[W(0), R(1)], &[W(1), R(2)], &[W(2), R(0)]],
    &[&[W(0), W(1)], &[W(1), W(2)], &[W(2), W(0)]],
    &[&[W(0), W(1)], &[W(1), R(2)], &[W(2), R(0)]],
    // Coherence, a message that passes back, Peterson's entry, a sequence lock, a contended cell
    &[&[W(0), W(0)], &[R(0), R(0)]],
    &[&[W(0), R(1), R(0)], &[R(0), W(1), W(0)]],
    &[&[W(0), W(2), R(1)], &[W(1), W(2), R(0)]],
    &[&[W(2), W(0), W(1), W(2)], &[R(2), R(1), R(0), R(2)]],
    &[&[W(0), R(0)], &[W(0), R(0)], &[R(0), W(0)]],
    // SB and MP one after the other
    &[&[W(0), W(1), R(2)], &[R(1), W(2), R(0)]],
];
