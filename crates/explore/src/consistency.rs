//! Whether a model allows the execution, after an event was added to one that it allowed.

use fencepost_models::Model;
use fencepost_program::{Address, Program};

use crate::coherence::coherent;
use crate::execution::{Execution, Id, Kind};

/// What the check of a model needs to know.
pub(crate) struct Consistency<'p> {
    pub program: &'p Program,
    pub model: Model,
}

impl Consistency<'_> {
    /// Whether the execution is still consistent with the event. All that was added before it was consistent, and nothing
    /// depends on it but events that were checked after it.
    pub(crate) fn allows(&self, execution: &Execution, addresses: &[Address], added: Id) -> bool {
        if !coherent(execution, added) {
            return false;
        }
        match self.model {
            // A later event may mend such a graph: only complete ones are asked about, by `allows_as_it_stands`.
            model if !model.is_extensible() => true,
            Model::Ra | Model::Rc20 => true,
            // psc can have a cycle only among SC events.
            Model::Rc11 if execution.events.iter().filter(|e| e.order.is_sc()).count() < 2 => true,
            _ => self.by_definition(execution, addresses),
        }
    }

    /// What [`Consistency::allows`] left open, once nothing can be added any more.
    pub(crate) fn allows_as_it_stands(&self, execution: &Execution, addresses: &[Address]) -> bool {
        self.model.is_extensible()
            || self.model.consistent(&execution.graph(self.program, addresses, self.model.sc_fence_is_rmw()))
    }

    fn by_definition(&self, execution: &Execution, addresses: &[Address]) -> bool {
        // The read of an RMW is judged together with its write.
        if execution.events.last().is_some_and(|e| e.kind == Kind::Choice) {
            return true;
        }
        self.model.consistent(&execution.graph(self.program, addresses, self.model.sc_fence_is_rmw()))
    }
}
