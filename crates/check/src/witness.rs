//! From a path of packed states to the run of the program that it stands for.

use fencepost_graph::{EventId, EventLabel, Graph};
use fencepost_models::Model as Definition;
use fencepost_program::{Action, Address, Label, LabelKind, Program, Span, Value};

use crate::expand::{Expander, Found, Move, Sink, Took};
use crate::search::Compiled;

/// A step of the run.
pub(crate) struct RunStep {
    pub thread: usize,
    pub action: Action,
    pub span: Span,
    pub read: Option<Value>,
    pub written: Option<Value>,
    /// A read that was taken as stale.
    pub tainted: bool,
    /// Its event in [`Witness::graph`], unless it made none.
    pub event: Option<EventId>,
}

/// An SC run, its execution graph, and what each thread wants to do next.
pub(crate) struct Witness<'p> {
    pub program: &'p Program,
    pub definition: Definition,
    pub steps: Vec<RunStep>,
    pub graph: Graph,
    /// The same without the reads that were taken as stale (G without T, paper 001 Def. 4.13).
    pub untainted: Graph,
    pub next: Vec<(Action, Span)>,
}

/// A step that goes stale: the label, and the write that it reads from or comes right after.
pub(crate) struct StaleStep {
    pub label: Label,
    pub predecessor: EventId,
}

impl<'p> Witness<'p> {
    pub(crate) fn new(
        program: &'p Program,
        compiled: &Compiled<'p>,
        definition: Definition,
        path: &[Vec<u64>],
    ) -> Self {
        let fences = definition.sc_fence_is_rmw();
        let mut witness = Witness {
            program,
            definition,
            steps: Vec::new(),
            graph: Graph::initial_of(program, fences),
            untainted: Graph::initial_of(program, fences),
            next: Vec::new(),
        };
        let mut locals = vec![0u32; program.threads.len()];
        for pair in path.windows(2) {
            for step in moves(compiled, &pair[0], &pair[1]) {
                witness.replay(compiled, &mut locals, step);
            }
        }
        let machine = compiled.lts.machine();
        for (thread, &local) in locals.iter().enumerate() {
            let state = &compiled.lts.local(thread, local).state;
            witness.next.push((machine.next(state), machine.span(state)));
        }
        witness
    }

    fn replay(&mut self, compiled: &Compiled, locals: &mut [u32], step: Move) {
        let machine = compiled.lts.machine();
        let local = compiled.lts.local(step.thread, locals[step.thread]);
        let (action, span) = (machine.next(&local.state), machine.span(&local.state));
        let successors = local.successors[step.value as usize];
        let value = action.address().map(|at| self.last_value(at));
        let (mut read, mut written) = (None, None);
        let label = match step.took {
            Took::Read | Took::TaintedRead => {
                let label = action.labels().find(|l| matches!(l.kind, LabelKind::Read | LabelKind::AwaitRead));
                read = value;
                label.zip(value).map(|(l, v)| event_label(l, v, v))
            }
            Took::Update if matches!(action, Action::Fence { .. }) => Some(self.definition.sc_fence_label()),
            Took::Update => {
                let label = action.labels().find(|l| matches!(l.kind, LabelKind::Write | LabelKind::Rmw));
                label.zip(value).map(|(l, v)| {
                    written = action.written(v);
                    read = (l.kind == LabelKind::Rmw).then_some(v);
                    event_label(l, v, written.unwrap_or(v))
                })
            }
            Took::Fence => match action {
                Action::Fence { order } => Some(EventLabel::fence(order)),
                _ => None,
            },
            Took::Chose => {
                if let Action::Choose { lo, .. } = action {
                    read = Some(lo + step.value as Value);
                }
                None
            }
        };
        let event = label.map(|label| {
            let last = |graph: &Graph| label.address.and_then(|at| graph.writes(at).last().copied());
            if step.took != Took::TaintedRead {
                self.untainted.push(step.thread as u32, label, span, last(&self.untainted));
            }
            self.graph.push(step.thread as u32, label, span, last(&self.graph))
        });
        let tainted = step.took == Took::TaintedRead;
        self.steps.push(RunStep { thread: step.thread, action, span, read, written, tainted, event });
        locals[step.thread] = match step.took {
            Took::Read | Took::Fence | Took::Chose => successors.read,
            Took::TaintedRead => successors.tainted,
            Took::Update => successors.update,
        };
    }

    fn last_value(&self, at: Address) -> Value {
        let last = self.graph.writes(at).last();
        last.and_then(|&w| self.graph.event(w).label.written).unwrap_or_default()
    }

    /// The steps of a thread that the model allows and SC does not, by the definitions (paper 001 Def. 4.5): a
    /// second opinion on what the monitors found.
    pub(crate) fn stale_steps(&self, thread: usize) -> Vec<StaleStep> {
        let mut steps = Vec::new();
        for label in self.next[thread].0.labels().filter(|l| l.order.is_atomic()) {
            let writes = self.graph.writes(label.at);
            let order = writes.iter().zip(self.untainted.writes(label.at));
            for (&full, &untainted) in order.take(writes.len().saturating_sub(1)) {
                let value = self.graph.event(full).label.written.unwrap_or_default();
                if !label.accept.accepts(value) {
                    continue;
                }
                let event = event_label(label, value, self.next[thread].0.written(value).unwrap_or(value));
                let allowed = self.untainted.extended(thread as u32, event, Some(untainted));
                let extended = self.graph.extended(thread as u32, event, Some(full));
                if self.definition.consistent(&allowed) && !Definition::Sc.consistent(&extended) {
                    steps.push(StaleStep { label, predecessor: full });
                }
            }
        }
        steps
    }
}

/// The event of a step that read `read` and, if it writes, wrote `written`.
pub(crate) fn event_label(label: Label, read: Value, written: Value) -> EventLabel {
    match label.kind {
        LabelKind::Read => EventLabel::read(label.order, label.at, read),
        LabelKind::AwaitRead => EventLabel::await_read(label.order, label.at, read),
        LabelKind::Write => EventLabel::write(label.order, label.at, written),
        LabelKind::Rmw => EventLabel::rmw(label.order, label.at, read, written),
    }
}

/// How one state follows from another: the search keeps only which state it came from.
fn moves(compiled: &Compiled, from: &[u64], to: &[u64]) -> Vec<Move> {
    struct Looking<'t> {
        to: &'t [u64],
        moves: Option<Vec<Move>>,
    }
    impl Sink for Looking<'_> {
        fn successor(&mut self, state: &[u64], moves: &[Move]) {
            if self.moves.is_none() && state == self.to {
                self.moves = Some(moves.to_vec());
            }
        }
        fn found(&mut self, _: Found) {}
        fn miss(&mut self, _: usize, _: u32, _: u32) {}
    }
    let mut looking = Looking { to, moves: None };
    Expander::new(&compiled.layout, &compiled.states, false, false).expand(from, &mut looking);
    looking.moves.expect("the state was found as a successor")
}
