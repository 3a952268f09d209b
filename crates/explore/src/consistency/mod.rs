//! Whether a model allows the execution, after an event was added to one that it allowed.
//!
//! What is new about it goes through the new events, so each check looks for a cycle through them only. The definitions
//! in `fencepost-models` say what the cycles are; [`Options::compare_with_definition`] compares every single answer
//! with theirs.

mod coherence;
mod cycle;
mod processor;
mod psc;
mod sc;

use fencepost_graph::SC_FENCE_CELL;
use fencepost_models::jam21::Jam21By;
use fencepost_models::{Axioms, Beyond, Model};
use fencepost_program::{Address, Program};

use crate::Options;
use crate::event::{Id, Kind};
use crate::execution::Execution;
pub(crate) use coherence::oldest_readable;
use coherence::{atomic, coherent};
use cycle::Search;

/// What the check of a model needs to know, and room to work in.
pub(crate) struct Consistency<'p> {
    program: &'p Program,
    model: Model,
    jam21_by: Jam21By,
    compare_with_definition: bool,
    search: Search,
}

impl<'p> Consistency<'p> {
    pub(crate) fn new(program: &'p Program, options: &Options) -> Consistency<'p> {
        let Options { model, jam21_by, compare_with_definition, .. } = *options;
        Consistency { program, model, jam21_by, compare_with_definition, search: Search::default() }
    }

    /// Whether the execution is still consistent with an event that was added last.
    pub(crate) fn allows(&mut self, execution: &Execution, addresses: &[Address], added: Id) -> bool {
        atomic(execution, added) && self.allows_all(execution, addresses, &[added])
    }

    /// Whether the execution is still consistent with a write that was added last, and a read that now reads from it
    /// and is the last event of its thread.
    pub(crate) fn allows_revisit(&mut self, execution: &Execution, addresses: &[Address], read: Id, write: Id) -> bool {
        atomic(execution, write) && self.allows_all(execution, addresses, &[write, read])
    }

    /// What [`Consistency::allows`] left open, once nothing can be added any more.
    pub(crate) fn allows_as_it_stands(&self, execution: &Execution, addresses: &[Address]) -> bool {
        self.model.is_extensible()
            || self.jam21_by.consistent_if_coherent(&execution.graph(self.program, addresses, false))
    }

    fn allows_all(&mut self, execution: &Execution, addresses: &[Address], added: &[Id]) -> bool {
        let allowed = added.iter().all(|&id| coherent(execution, id)) && self.has_no_cycle_through(execution, added);
        if self.compare_with_definition {
            self.compare(execution, addresses, added, allowed);
        }
        allowed
    }

    fn compare(&self, execution: &Execution, addresses: &[Address], added: &[Id], allowed: bool) {
        // Half an SC fence is not in the definitions: it is compared when its write has come.
        let is_half_a_fence = |&id: &Id| {
            let event = execution.event(id);
            event.kind == Kind::ExclusiveRead && addresses[event.location] == SC_FENCE_CELL
        };
        if self.model.is_extensible() && !added.iter().any(is_half_a_fence) {
            let graph = execution.graph(self.program, addresses, self.model.sc_fence_is_rmw());
            let truth = self.model.consistent(&graph);
            assert_eq!(allowed, truth, "{}:\n{graph}", self.model);
        }
    }

    fn has_no_cycle_through(&mut self, execution: &Execution, events: &[Id]) -> bool {
        let search = &mut self.search;
        match self.model.descriptor().axioms {
            Axioms::Interleaving => sc::acyclic(execution, events, search),
            Axioms::GlobalOrder(ppo) => processor::acyclic(execution, events, ppo, search),
            Axioms::Coherence(_, Beyond::Nothing) => true,
            // A cycle needs two events.
            Axioms::Coherence(_, Beyond::PartialScOrder) => {
                execution.sc_events < 2 || psc::acyclic(execution, events, search)
            }
            // A later event may mend such a graph: only complete ones are asked about, by `allows_as_it_stands`.
            Axioms::Coherence(_, Beyond::Jam21) => true,
        }
    }
}
