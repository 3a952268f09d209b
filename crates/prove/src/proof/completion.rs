//! Assumptions that rule out every execution. What is proved of all of no executions says nothing.

use std::borrow::Cow;

use fencepost_program::{Inst, Span};

use crate::domains::Domain;
use crate::proof::Method;
use crate::proof::prover::Prover;
use crate::threads::code::Step;
use crate::unfold::Cells;

impl<D: Domain> Prover<'_, '_, D> {
    /// If no execution completes because of assumptions, those that cut executions off.
    pub(crate) fn cut_off(&self, cells: &Cells) -> Option<Vec<Span>> {
        // Other threads of a C program need not be created.
        let threads = match cells.program {
            Cow::Borrowed(_) => self.system.codes.len(),
            Cow::Owned(_) => 1,
        };
        let found = (0..threads).find_map(|thread| self.thread_is_cut_off(thread));
        found.filter(|_| !self.limits.are_reached())
    }

    fn thread_is_cut_off(&self, thread: usize) -> Option<Vec<Span>> {
        let (code, states) = (&self.system.codes[thread], &self.facts.states[thread]);
        let is_reached = |node: usize| states.before[node].is_some();
        let assumptions = |node: &usize| matches!(code.nodes[*node].step, Step::Do(Inst::Assume { .. }));
        let mut found: Vec<usize> = (0..code.nodes.len()).filter(assumptions).filter(|&n| is_reached(n)).collect();
        if !is_reached(code.end()) {
            // Otherwise the thread may be in a loop without an exit, which cuts nothing off.
            found.retain(|&node| code.nodes[node].next.iter().all(|&next| !is_reached(next as usize)));
        } else if found.is_empty() || self.options.method == Method::Mine || self.has_case((thread, code.end())) {
            return None;
        }
        (!found.is_empty()).then(|| found.into_iter().map(|node| code.nodes[node].span).collect())
    }
}
