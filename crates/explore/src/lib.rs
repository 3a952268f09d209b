//! Every execution that a memory model allows, each exactly once: stateless model checking.

mod clock;
mod coherence;
mod consistency;
mod execution;
mod explorer;

use fencepost_graph::Graph;
use fencepost_models::Model;
use fencepost_program::{Failure, Program, Value};

use execution::Execution;
use explorer::{Explorer, Flow, Visitor};

/// How many executions there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub complete: u64,
    pub blocked: u64,
    pub failed: u64,
}

/// Counts all executions, and shows each complete one: its graph, and for each thread the values that it chose.
pub fn explore(program: &Program, model: Model, mut show: impl FnMut(&Graph, &[Vec<Value>])) -> Counts {
    struct Counting<F>(Counts, F);
    impl<F: FnMut(&Graph, &[Vec<Value>])> Visitor for Counting<F> {
        fn complete(&mut self, explorer: &Explorer, execution: &Execution) -> Flow {
            self.0.complete += 1;
            let fences = explorer.model.sc_fence_is_rmw();
            (self.1)(&execution.graph(explorer.program, &explorer.addresses, fences), &execution.choices());
            Flow::GoOn
        }

        fn blocked(&mut self, _: &Explorer, _: &Execution) -> Flow {
            self.0.blocked += 1;
            Flow::GoOn
        }

        fn failed(&mut self, _: &Explorer, _: &Execution, _: usize, _: Failure) -> Flow {
            self.0.failed += 1;
            Flow::GoOn
        }
    }
    let mut counting = Counting(Counts::default(), &mut show);
    Explorer::new(program, model).run(&mut counting);
    counting.0
}
