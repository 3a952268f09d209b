//! All execution graphs that a program generates: Pr ∥ FG of paper 001 Def. 3.10 and 3.11.
//!
//! A graph can be built in many orders. To meet it only once, an event is added only if it is the one that would be
//! taken away first: of the events that no other follows in po ∪ rf, the one of the last thread. Every graph has
//! exactly one such event, and without it, it is still a graph that the program generates, so all of them are met. This
//! asks of a question that what it admits is closed under taking away such events, as consistency is in every model
//! here.

use fencepost_graph::{EventId, EventKind, EventLabel, Graph, SC_FENCE_CELL};
use fencepost_program::{Action, Answer, Failure, LabelKind, Machine, Ordering, Program, Span, ThreadState};

use crate::{BoundExceeded, Bounds};

/// What to do with a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Extend,
    Cut,
    Stop,
}

/// What is asked of all graphs.
pub trait Question {
    /// Whether to go on from a graph. Asked before the thread of its last event moves on.
    fn admits(&mut self, graph: &Graph) -> Verdict;

    /// Looks at an admitted graph with the states that its threads have reached; their next actions are not
    /// [`Action::Choose`]. Returns whether to go on with other graphs.
    fn visit(&mut self, _: &Graph, _: &[ThreadAt]) -> bool {
        true
    }

    /// Whether [`Question::visit`] needs [`fencepost_graph::Event::used`].
    fn wants_dependencies(&self) -> bool {
        false
    }
}

/// The values of one `choose` that are tried.
const CHOICES_LIMIT: i64 = 1000;

/// A thread between two events.
#[derive(Clone)]
pub struct ThreadAt {
    pub state: ThreadState,
    pub action: Action,
    /// Where the action stands in the source.
    pub span: Span,
    last: Option<EventId>,
}

/// Asks `question` of every graph that the program generates. SC fences become events as `sc_fence` says.
pub fn generate(
    program: &Program,
    sc_fence: EventLabel,
    bounds: Bounds,
    question: &mut impl Question,
) -> Result<(), BoundExceeded> {
    let machine = Machine::new(program);
    let graph = Graph::initial_of(program, sc_fence.address == Some(SC_FENCE_CELL));
    let mut generator = Generator {
        initial_events: graph.len(),
        readers: vec![0; graph.len()],
        graph,
        threads: Vec::new(),
        sc_fence,
        bounds: Bounds { events: bounds.events.min(64), ..bounds },
        exceeded: false,
        stopped: false,
        machine: &machine,
        question,
    };
    generator.start();
    if generator.exceeded && !generator.stopped { Err(BoundExceeded) } else { Ok(()) }
}

struct Generator<'m, 'p, Q> {
    machine: &'m Machine<'p>,
    question: &'m mut Q,
    graph: Graph,
    initial_events: usize,
    /// For each event, how many read from it.
    readers: Vec<u32>,
    threads: Vec<ThreadAt>,
    sc_fence: EventLabel,
    bounds: Bounds,
    exceeded: bool,
    /// The question was answered early.
    stopped: bool,
}

/// Each method returns whether to go on.
impl<Q: Question> Generator<'_, '_, Q> {
    fn start(&mut self) -> bool {
        match self.question.admits(&self.graph) {
            Verdict::Extend => self.start_thread(),
            Verdict::Cut => true,
            Verdict::Stop => self.stop(),
        }
    }

    fn stop(&mut self) -> bool {
        self.stopped = true;
        false
    }

    fn start_thread(&mut self) -> bool {
        let next = self.threads.len();
        if next == self.machine.program().threads.len() {
            return self.extend();
        }
        for at in self.choices(self.machine.start(next), None) {
            self.threads.push(at);
            if !self.start_thread() {
                return false;
            }
            self.threads.pop();
        }
        true
    }

    fn extend(&mut self) -> bool {
        if self.question.wants_dependencies() {
            self.mark_used_reads();
        }
        if self.threads.iter().any(|t| t.action == Action::Failed(Failure::EndlessLocalLoop)) {
            self.exceeded = true;
        }
        if !self.question.visit(&self.graph, &self.threads) {
            return self.stop();
        }
        // The last events of later threads that nothing reads. The new event must read from the only one.
        let mut unread = None;
        for thread in (0..self.threads.len()).rev() {
            if !self.extend_thread(thread, unread) {
                return false;
            }
            if let Some(last) = self.threads[thread].last
                && self.readers[last.index()] == 0
            {
                if unread.is_some() {
                    break;
                }
                unread = Some(last);
            }
        }
        true
    }

    fn extend_thread(&mut self, thread: usize, must_read: Option<EventId>) -> bool {
        let action = self.threads[thread].action;
        if let Action::Fence { order } = action {
            return must_read.is_some() && !self.fence_reads(order) || self.add_fence(thread, order, must_read);
        }
        for label in action.labels() {
            if must_read.is_some() && label.kind == LabelKind::Write {
                continue;
            }
            let mut position = 0;
            while let Some(&write) = self.graph.writes(label.at).get(position) {
                position += 1;
                let value = self.graph.event(write).label.written.unwrap_or(0);
                if must_read.is_some_and(|w| w != write) || !label.accept.accepts(value) {
                    continue;
                }
                let kind = EventKind::from(label.kind);
                let event = EventLabel {
                    kind,
                    address: Some(label.at),
                    order: label.order,
                    read: (kind != EventKind::Write).then_some(value),
                    written: matches!(kind, EventKind::Write | EventKind::Rmw)
                        .then(|| action.written(value).unwrap_or(0)),
                };
                let answer = match label.kind {
                    LabelKind::Read | LabelKind::AwaitRead => Answer::Read(value),
                    LabelKind::Write => Answer::Done,
                    LabelKind::Rmw => Answer::Updated(value),
                };
                if !self.add(thread, event, Some(write), answer) {
                    return false;
                }
            }
        }
        true
    }

    fn fence_reads(&self, order: Ordering) -> bool {
        order.is_sc() && self.sc_fence.kind == EventKind::Rmw
    }

    fn add_fence(&mut self, thread: usize, order: Ordering, must_read: Option<EventId>) -> bool {
        if !self.fence_reads(order) {
            return self.add(thread, EventLabel::fence(order), None, Answer::Done);
        }
        let mut position = 0;
        while let Some(&write) = self.graph.writes(SC_FENCE_CELL).get(position) {
            position += 1;
            let goes_on =
                must_read.is_some_and(|w| w != write) || self.add(thread, self.sc_fence, Some(write), Answer::Done);
            if !goes_on {
                return false;
            }
        }
        true
    }

    fn add(&mut self, thread: usize, label: EventLabel, predecessor: Option<EventId>, answer: Answer) -> bool {
        if self.graph.len() - self.initial_events >= self.bounds.events || self.bounds.graphs == 0 {
            self.exceeded = true;
            return self.bounds.graphs > 0;
        }
        self.bounds.graphs -= 1;
        let id = self.graph.push(thread as u32, label, self.threads[thread].span, predecessor);
        let goes_on = match self.question.admits(&self.graph) {
            Verdict::Extend => self.advance(thread, id, answer),
            Verdict::Cut => true,
            Verdict::Stop => self.stop(),
        };
        self.graph.pop();
        goes_on
    }

    /// Goes on from the graph to which `id` was just added.
    fn advance(&mut self, thread: usize, id: EventId, answer: Answer) -> bool {
        let mut state = self.threads[thread].state.clone();
        let marks = if self.question.wants_dependencies() { 1 << self.graph.event(id).serial } else { 0 };
        self.machine.resume(&mut state, answer, marks);
        if let Some(source) = self.graph.source(id) {
            self.readers[source.index()] += 1;
        }
        self.readers.push(0);
        let before = self.threads[thread].clone();
        let goes_on = self.choices(state, Some(id)).into_iter().all(|at| {
            self.threads[thread] = at;
            self.extend()
        });
        self.threads[thread] = before;
        self.readers.pop();
        if let Some(source) = self.graph.source(id) {
            self.readers[source.index()] -= 1;
        }
        goes_on
    }

    /// The states that a state turns into by choices, which make no events.
    fn choices(&mut self, state: ThreadState, last: Option<EventId>) -> Vec<ThreadAt> {
        let mut seen = vec![state];
        let mut settled = Vec::new();
        let mut next = 0;
        while let Some(state) = seen.get(next).cloned() {
            next += 1;
            let action = self.machine.next(&state);
            let Action::Choose { lo, hi } = action else {
                let span = self.machine.span(&state);
                settled.push(ThreadAt { state, action, span, last });
                continue;
            };
            if hi.saturating_sub(lo) > CHOICES_LIMIT {
                self.exceeded = true;
            }
            for value in lo..=hi.min(lo.saturating_add(CHOICES_LIMIT)) {
                let mut chosen = state.clone();
                self.machine.resume(&mut chosen, Answer::Chose(value), 0);
                if !seen.contains(&chosen) {
                    seen.push(chosen);
                }
            }
        }
        settled
    }

    fn mark_used_reads(&mut self) {
        for id in (self.initial_events as u32..self.graph.len() as u32).map(EventId) {
            let event = self.graph.event_mut(id);
            let Some(thread) = event.thread else { continue };
            event.used = self.threads[thread as usize].state.used_marks() >> event.serial & 1 == 1;
        }
    }
}
