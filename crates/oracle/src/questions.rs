//! The questions of the papers, each by its definition: asked of every graph that the model allows.

use std::collections::HashSet;

use fencepost_graph::{Graph, Relations, races};
use fencepost_models::Model;
use fencepost_program::{Action, Address, Failure, Program, Span, Value};

use crate::free_graphs::{Question, ThreadAt, Verdict, generate};
use crate::{BoundExceeded, Bounds};

/// A consistent graph after which a thread's next step is a failure.
#[derive(Clone, Debug)]
pub struct Failing {
    pub graph: Graph,
    pub thread: usize,
    pub failure: Failure,
}

/// A graph that the model allows and SC does not (paper 001 Def. 4.1, paper 003 Def. 4.9), or `None` if the program is
/// robust. A graph of fewest events has only SC-consistent prefixes, so only those are extended.
pub fn not_robust(program: &Program, model: Model, bounds: Bounds) -> Result<Option<Graph>, BoundExceeded> {
    struct NotRobust(Model, Option<Graph>);
    impl Question for NotRobust {
        fn admits(&mut self, graph: &Graph) -> Verdict {
            let relations = Relations::of(graph);
            if Model::Sc.allows(&relations) {
                Verdict::Extend
            } else if self.0.allows(&relations) {
                self.1 = Some(graph.clone());
                Verdict::Stop
            } else {
                Verdict::Cut
            }
        }
    }
    let mut question = NotRobust(model, None);
    generate(program, model.sc_fence_label(), bounds, &mut question)?;
    Ok(question.1)
}

/// A graph that the model allows and in which hbSC^dp has a cycle (paper 001 Def. 4.9), or `None` if the program is
/// observationally robust.
pub fn not_observationally_robust(
    program: &Program,
    model: Model,
    bounds: Bounds,
) -> Result<Option<Graph>, BoundExceeded> {
    let mut found = None;
    for_each_consistent(program, model, bounds, true, |graph, _| {
        if !Relations::of(graph).hb_sc_dp_step().is_acyclic() {
            found = Some(graph.clone());
        }
        found.is_none()
    })?;
    Ok(found)
}

/// A graph that the model allows and that is racy (paper 001 Def. 6.1 and 6.2, case (ii)).
pub fn racy(program: &Program, model: Model, bounds: Bounds) -> Result<Option<Graph>, BoundExceeded> {
    let mut found = None;
    for_each_consistent(program, model, bounds, false, |graph, _| {
        if !races(graph, &model.hb(&Relations::of(graph))).is_empty() {
            found = Some(graph.clone());
        }
        found.is_none()
    })?;
    Ok(found)
}

/// A graph that the model allows with a failing final state (paper 001 Def. 3.12). An index out of bounds and a
/// division by zero are failures as well.
pub fn fails(program: &Program, model: Model, bounds: Bounds) -> Result<Option<Failing>, BoundExceeded> {
    let mut found = None;
    for_each_consistent(program, model, bounds, false, |graph, threads| {
        found = first_failure(graph, threads);
        found.is_none()
    })?;
    Ok(found)
}

/// A graph that the model allows after which every thread has ended or waits, some thread waits, and what each of them
/// waits for is not what the last write to the location in modification order gives: under a fair memory each of them
/// would read it (Lahav et al., "Making Weak Memory Models Fair", OOPSLA 2021).
pub fn deadlock(program: &Program, model: Model, bounds: Bounds) -> Result<Option<Graph>, BoundExceeded> {
    let mut found = None;
    for_each_consistent(program, model, bounds, false, |graph, threads| {
        let newest =
            |at| graph.writes(at).last().and_then(|&write| graph.event(write).label.written).unwrap_or_default();
        let waits = |action: Action| match action {
            Action::Hangs => true,
            Action::Wait { at, accept, .. } | Action::Rmw { at, accept, .. } => !accept.accepts(newest(at)),
            _ => false,
        };
        // A thread in a loop without an exit does not wait, but will not wake others either.
        let gone = |action: Action| matches!(action, Action::End | Action::Endless);
        let stuck = threads.iter().all(|t| gone(t.action) || waits(t.action));
        if stuck && threads.iter().any(|t| waits(t.action)) {
            found = Some(graph.clone());
        }
        found.is_none()
    })?;
    Ok(found)
}

/// What can be seen of an execution from outside.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Behaviour {
    Fails {
        thread: usize,
        failure: Failure,
        span: Span,
    },
    /// All threads have ended, and memory holds these values.
    Ends {
        memory: Vec<Value>,
    },
}

/// All that can be seen of the executions that the model allows. A program that is observationally robust shows what it
/// shows under SC (paper 001 Prop. 4.12), whatever a dependency is taken to be.
pub fn behaviours(program: &Program, model: Model, bounds: Bounds) -> Result<HashSet<Behaviour>, BoundExceeded> {
    let mut found = HashSet::new();
    let cells: Vec<Address> = program.cells().collect();
    for_each_consistent(program, model, bounds, false, |graph, threads| {
        for (thread, at) in threads.iter().enumerate() {
            if let Action::Failed(failure) = at.action {
                found.insert(Behaviour::Fails { thread, failure, span: at.span });
            }
        }
        if threads.iter().all(|t| t.action == Action::End) {
            let last = |at: &Address| graph.writes(*at).last().and_then(|&write| graph.event(write).label.written);
            found.insert(Behaviour::Ends { memory: cells.iter().map(|at| last(at).unwrap_or_default()).collect() });
        }
        true
    })?;
    Ok(found)
}

/// Every graph that the model allows and in which all threads have ended.
pub fn complete_graphs(program: &Program, model: Model, bounds: Bounds) -> Result<Vec<Graph>, BoundExceeded> {
    let mut found = Vec::new();
    for_each_consistent(program, model, bounds, false, |graph, threads| {
        if threads.iter().all(|t| t.action == Action::End) {
            found.push(graph.clone());
        }
        true
    })?;
    Ok(found)
}

pub(crate) fn first_failure(graph: &Graph, threads: &[ThreadAt]) -> Option<Failing> {
    threads.iter().enumerate().find_map(|(thread, at)| match at.action {
        Action::Failed(Failure::EndlessLocalLoop) => None,
        Action::Failed(failure) => Some(Failing { graph: graph.clone(), thread, failure }),
        _ => None,
    })
}

/// Calls `visit` for every configuration whose graph the model allows, until it returns false.
fn for_each_consistent(
    program: &Program,
    model: Model,
    bounds: Bounds,
    dependencies: bool,
    visit: impl FnMut(&Graph, &[ThreadAt]) -> bool,
) -> Result<(), BoundExceeded> {
    struct Consistent<F>(Model, bool, F);
    impl<F: FnMut(&Graph, &[ThreadAt]) -> bool> Question for Consistent<F> {
        fn admits(&mut self, graph: &Graph) -> Verdict {
            if self.0.consistent(graph) { Verdict::Extend } else { Verdict::Cut }
        }

        fn visit(&mut self, graph: &Graph, threads: &[ThreadAt]) -> bool {
            (self.2)(graph, threads)
        }

        fn wants_dependencies(&self) -> bool {
            self.1
        }
    }
    generate(program, model.sc_fence_label(), bounds, &mut Consistent(model, dependencies, visit))
}
