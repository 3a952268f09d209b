//! From a path of packed states to the run of the program that it stands for.

use std::ops::Deref;

use fencepost_graph::{EventId, EventLabel, Graph, SC_FENCE_CELL};
use fencepost_models::Model as Definition;
use fencepost_program::{
    Action, Address, Answer, Failure, Inst, Label, LabelKind, Machine, Names, Piece, Program, Span, Value, Waiting,
};
use fencepost_story::{PrintedLine, PrintedLines, Reason, Run, Step};

use crate::index::{Index, LocalId};
use crate::lts::{LocalState, Move, Step as ThreadStep, Took};
use crate::search::{Compiled, Expander, Found, Miss, Sink};

/// A step of the run.
pub(crate) struct RunStep {
    pub step: Step,
    /// The bytes that it accesses.
    pub piece: Option<Piece>,
    /// A read that was taken as stale.
    pub tainted: bool,
}

impl Deref for RunStep {
    type Target = Step;

    fn deref(&self) -> &Step {
        &self.step
    }
}

/// A step that goes wrong in an execution that the model allows: the label, and the write that it reads from or comes
/// right after.
pub(crate) struct StaleStep {
    pub label: Label,
    pub predecessor: EventId,
}

/// An SC run, its execution graph, and what each thread wants to do next.
pub(crate) struct Witness<'p> {
    pub names: Names<'p>,
    pub compiled: &'p Compiled<'p>,
    pub definition: Definition,
    /// Whether stale reads were taken that nothing depends on.
    pub observational: bool,
    /// By step, the move that it is.
    pub moves: Vec<Move>,
    pub steps: Vec<RunStep>,
    pub initial: Graph,
    pub graph: Graph,
    /// The same without the reads that were taken as stale (G without T, paper 001 Def. 4.13).
    pub untainted: Graph,
    pub next: Vec<(Action, Span)>,
    /// The bytes that they access.
    pub next_pieces: Vec<Option<Piece>>,
    /// By thread, what it waits for if it does.
    pub waiting: Vec<Waiting>,
    /// What threads have printed.
    pub printed: Vec<PrintedLine>,
    /// By thread, the values that would make its next step a useless iteration of a loop.
    spins: Vec<Vec<Value>>,
    /// By thread, whether its next step must not read what memory holds before something is written there.
    pub unwritten: Vec<bool>,
}

impl<'p> Witness<'p> {
    pub(crate) fn new(
        program: &'p Program,
        compiled: &'p Compiled<'p>,
        definition: Definition,
        path: &[Vec<u64>],
    ) -> Self {
        let moves: Vec<Move> = path.windows(2).flat_map(|pair| moves(compiled, &pair[0], &pair[1])).collect();
        Witness::of_moves(program, compiled, definition, moves)
    }

    /// The run up to a stale read, which is one that must not be.
    pub(crate) fn before(&self, step: usize) -> Witness<'p> {
        let moves = self.moves[..step].to_vec();
        let run = Witness::of_moves(self.names.program(), self.compiled, self.definition, moves);
        Witness { observational: false, ..run }
    }

    fn of_moves(program: &'p Program, compiled: &'p Compiled<'p>, definition: Definition, moves: Vec<Move>) -> Self {
        let initial = initial_graph(program, compiled, definition, &moves);
        let names = Names::with_threads(program, &compiled.lts.threads.child_functions);
        let mut witness = Witness {
            compiled,
            definition,
            observational: compiled.lts.observational,
            steps: Vec::new(),
            graph: initial.clone(),
            untainted: initial.clone(),
            initial,
            next: Vec::new(),
            next_pieces: Vec::new(),
            waiting: Vec::new(),
            printed: printed(&names, compiled, &moves),
            names,
            spins: Vec::new(),
            unwritten: Vec::new(),
            moves: Vec::new(),
        };
        let mut locals = vec![LocalId::FIRST; compiled.lts.threads.count()];
        for &step in &moves {
            witness.take(compiled, &mut locals, step);
        }
        witness.moves = moves;
        let accesses = witness.graph.events().filter_map(|(_, event)| Some((event.label.address?, event.span)));
        witness.names.name_objects(accesses);
        let machine = compiled.lts.machine();
        for (thread, &local) in locals.iter().enumerate() {
            witness.next_pieces.push(compiled.lts.piece(compiled.lts.local(thread, local)));
            let LocalState { state, action, step, location, uses_value, .. } = compiled.lts.local(thread, local);
            let location = location.map(|location| &compiled.lts.locations[location]);
            witness.unwritten.push(*uses_value && location.is_some_and(|location| location.unwritten));
            witness.next.push((*action, machine.span(state)));
            witness.waiting.push(machine.waiting(&witness.names, state, action));
            let values = match step {
                ThreadStep::Load { .. } | ThreadStep::Cas { .. } => {
                    location.map_or(&[][..], |location| &location.values)
                }
                _ => &[],
            };
            let spins = |value: &&Value| compiled.lts.spins(thread, local, **value);
            witness.spins.push(values.iter().filter(spins).copied().collect());
        }
        witness
    }

    /// The run as it is told, with what its stale reads read in a graph. The graph may have one more event.
    pub(crate) fn run(&self, graph: Graph) -> Run<'p> {
        let step = |taken: &RunStep| {
            let is_stale = |&event: &EventId| graph.source(event) != self.graph.source(event);
            match taken.event.filter(|event| taken.tainted && is_stale(event)) {
                Some(event) => Step { read: graph.event(event).label.read, stale: true, ..taken.step },
                None => taken.step,
            }
        };
        let steps = self.steps.iter().map(step).collect();
        Run { names: self.names.clone(), model: self.definition, graph, steps, output: self.printed.clone() }
    }

    /// The bytes that an event of the run accesses.
    pub(crate) fn piece(&self, event: EventId) -> Option<Piece> {
        self.steps.iter().find(|step| step.event == Some(event))?.piece
    }

    /// The step that a thread takes next; its event in a graph, if it has one there.
    pub(crate) fn next_step(&self, thread: usize, event: Option<EventId>) -> Step {
        let (action, span) = self.next[thread];
        Step { event, ..Step::new(thread, action, span) }
    }

    pub(crate) fn machine(&self) -> &'p Machine<'p> {
        self.compiled.lts.machine()
    }

    fn take(&mut self, compiled: &Compiled, locals: &mut [LocalId], step: Move) {
        let machine = compiled.lts.machine();
        let local = compiled.lts.local(step.thread, locals[step.thread]);
        let (action, span) = (local.action, machine.span(&local.state));
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
                    read = Some(lo + Value::from(step.value.to_u32()));
                }
                None
            }
            Took::Spawned => None,
        };
        let event = label.map(|label| {
            let last = |graph: &Graph| label.address.and_then(|at| graph.writes(at).last().copied());
            if step.took != Took::TaintedRead {
                self.untainted.push(step.thread as u32, label, span, last(&self.untainted));
            }
            self.graph.push(step.thread as u32, label, span, last(&self.graph))
        });
        let tainted = step.took == Took::TaintedRead;
        let (library, header) = (machine.is_in_library(&local.state), machine.is_in_header(&local.state));
        let taken = Step::new(step.thread, action, span);
        let piece = compiled.lts.piece(local);
        self.steps.push(RunStep { step: Step { read, written, event, library, header, ..taken }, piece, tainted });
        advance(compiled, locals, step);
    }

    /// Whether the next step of a thread would take a value, and be more than a useless iteration of a loop.
    pub(crate) fn takes(&self, thread: usize, label: Label, value: Value) -> bool {
        let reads = matches!(label.kind, LabelKind::Read | LabelKind::AwaitRead);
        label.accept.accepts(value) && !(reads && self.spins[thread].contains(&value))
    }

    fn last_value(&self, at: Address) -> Value {
        let last = self.graph.writes(at).last();
        last.and_then(|&w| self.graph.event(w).label.written).unwrap_or_default()
    }

    /// The steps of a thread that the model allows and SC does not, by what the monitors track (paper 001 Def. 4.13):
    /// without the stale reads.
    pub(crate) fn stale_steps(&self, thread: usize) -> Vec<StaleStep> {
        let mut steps = Vec::new();
        for label in self.next[thread].0.labels().filter(|l| l.order.is_atomic()) {
            let writes = self.graph.writes(label.at);
            let order = writes.iter().zip(self.untainted.writes(label.at));
            for (&full, &untainted) in order.take(writes.len().saturating_sub(1)) {
                let value = self.graph.event(full).label.written.unwrap_or_default();
                if !self.takes(thread, label, value) || !self.goes_wrong(thread, label, &self.graph, full) {
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

/// What threads print along a run: they run once more.
fn printed(names: &Names, compiled: &Compiled, moves: &[Move]) -> Vec<PrintedLine> {
    let prints = |inst: &Inst| matches!(inst, Inst::Print { shown: true, .. });
    if !names.program().functions.iter().any(|function| function.code.iter().any(prints)) {
        return Vec::new();
    }
    let machine = compiled.lts.machine().printing();
    let mut lines = PrintedLines::new(|thread| names.thread_name(thread));
    let mut locals = vec![LocalId::FIRST; compiled.lts.threads.count()];
    for thread in 0..compiled.lts.machine().program().threads.len() {
        machine.start(thread);
        lines.add(thread, &machine.take_printed());
    }
    for &step in moves {
        let local = locals[step.thread];
        let LocalState { state, action, .. } = compiled.lts.local(step.thread, local);
        if let Some(answer) = compiled.lts.answer(local, step) {
            machine.resume(&mut state.clone(), answer, 0);
            lines.add(step.thread, &machine.take_printed());
            if let (Action::Spawn { func, argument, .. }, Answer::Spawned(child)) = (action, answer) {
                machine.start_spawned(child, *func, *argument);
                lines.add(child as usize, &machine.take_printed());
            }
        }
        advance(compiled, &mut locals, step);
    }
    lines.finish()
}

/// Puts the threads where a step takes them.
pub(crate) fn advance(compiled: &Compiled, locals: &mut [LocalId], step: Move) {
    let local = compiled.lts.local(step.thread, locals[step.thread]);
    let successors = local.successors[step.value.index()];
    if let ThreadStep::Spawn { number, .. } = local.step
        && let Some(child) = compiled.lts.threads.child(step.thread, number)
    {
        locals[child] = successors.begin();
    }
    let next = match step.took {
        Took::Read | Took::Fence | Took::Chose | Took::Spawned => successors.read,
        Took::TaintedRead => successors.tainted,
        Took::Update => successors.update,
    };
    locals[step.thread] = next.state().expect("a step of a run leads to a state");
}

/// The initial values of all that a program declares; in a flat address space, of what the run comes near.
fn initial_graph(program: &Program, compiled: &Compiled, definition: Definition, moves: &[Move]) -> Graph {
    let lts = &compiled.lts;
    let mut locals = vec![LocalId::FIRST; lts.threads.count()];
    let mut cells: Vec<Address> = program.cells().collect();
    let mut note = |thread: usize, local: LocalId| {
        if let Some(at) = lts.local(thread, local).step.address()
            && at != SC_FENCE_CELL
            && !cells.contains(&at)
        {
            cells.push(at);
        }
    };
    for &step in moves {
        note(step.thread, locals[step.thread]);
        advance(compiled, &mut locals, step);
    }
    locals.iter().enumerate().for_each(|(thread, &local)| note(thread, local));
    let fences = definition.sc_fence_is_rmw().then_some((SC_FENCE_CELL, 0));
    Graph::initial(cells.into_iter().map(|at| (at, program.initial_value(at))).chain(fences))
}

/// Why it is unknown what a thread does after a path.
pub(crate) fn why_unknown(program: &Program, compiled: &Compiled, path: &[Vec<u64>], thread: usize) -> Reason {
    let last = path.last().expect("a path has a first state");
    let local = compiled.lts.local(thread, compiled.layout.local[thread].get(last));
    match local.step {
        ThreadStep::Failed(failure @ Failure::Unsupported { .. }) => {
            let place = program.place(compiled.lts.machine().span(&local.state));
            let place = place.map_or(String::new(), |place| format!("{place}: "));
            Reason::Unsupported(format!("{place}the program {}", failure.text(&Names::of(program))))
        }
        _ => Reason::Other("a loop without memory accesses does not end".to_string()),
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
        fn goes_on(&mut self) {}
        fn miss(&mut self, _: Miss) {}
    }
    let mut looking = Looking { to, moves: None };
    Expander::new(&compiled.layout, &compiled.steps, false, false).expand(from, &mut looking);
    looking.moves.expect("the state was found as a successor")
}
