//! The compiled program that all workers of a search read.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{RwLock, RwLockReadGuard};

use super::Compiled;
use super::lookahead::{Miss, UnknownStep, look_ahead};
use crate::Options;
use crate::compiled::Source;

/// A compiled program, frozen if all that threads can do is known.
pub(super) enum SharedProgram<'p> {
    /// Nothing changes during the search.
    Frozen(Compiled<'p>),
    /// Steps are added between rounds, while no worker reads.
    Open(RwLock<Compiled<'p>>),
}

pub(super) enum Reading<'a, 'p> {
    Frozen(&'a Compiled<'p>),
    Open(RwLockReadGuard<'a, Compiled<'p>>),
}

impl<'p> Deref for Reading<'_, 'p> {
    type Target = Compiled<'p>;

    fn deref(&self) -> &Compiled<'p> {
        match self {
            Reading::Frozen(compiled) => compiled,
            Reading::Open(compiled) => compiled,
        }
    }
}

impl<'p> SharedProgram<'p> {
    pub(super) fn new(compiled: Compiled<'p>) -> SharedProgram<'p> {
        match compiled.lts.closed {
            true => SharedProgram::Frozen(compiled),
            false => SharedProgram::Open(RwLock::new(compiled)),
        }
    }

    pub(super) fn read(&self) -> Reading<'_, 'p> {
        match self {
            SharedProgram::Frozen(compiled) => Reading::Frozen(compiled),
            SharedProgram::Open(compiled) => Reading::Open(compiled.read().expect("not poisoned")),
        }
    }

    pub(super) fn into_inner(self) -> Compiled<'p> {
        match self {
            SharedProgram::Frozen(compiled) => compiled,
            SharedProgram::Open(compiled) => compiled.into_inner().expect("not poisoned"),
        }
    }

    /// Computes the steps that an expansion missed, each with a state that missed it. Returns false if the layout has
    /// no room for them.
    pub(super) fn learn(&self, misses: &BTreeMap<UnknownStep, Box<[u64]>>, options: &Options) -> bool {
        let SharedProgram::Open(compiled) = self else { unreachable!("a frozen program has no unknown steps") };
        let mut compiled = compiled.write().expect("not poisoned");
        let Compiled { lts, layout, steps } = &mut *compiled;
        let mut filled = Vec::new();
        for (&step, state) in misses {
            filled.append(&mut look_ahead(lts, layout, Miss { step, state }));
        }
        if lts.is_over() || !layout.fits(lts) {
            return false;
        }
        steps.extend(Source { lts, layout, options });
        for (thread, local, value) in filled {
            steps.refresh(lts, thread, local, value);
        }
        true
    }
}
