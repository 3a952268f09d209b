//! The weak execution behind a run with stale reads.
//!
//! The search lets a read that may be stale read the last value all the same, because nothing must depend on it (paper
//! 001 §4.2). That run is not what the model is blamed for. So a report points stale reads at writes that they may read
//! from, and asks the definition whether the model allows the result. Where it allows none, the analysis was not exact
//! (Ex. 4.19), and the report says "may".

use fencepost_graph::{EventId, Graph, Relation, Relations};
use fencepost_models::Model as Definition;
use fencepost_program::{Accept, Action, Label, LabelKind, Span, ThreadState};
use fencepost_story::Dependent;

use super::witness::{StaleStep, Witness, advance, event_label};
use crate::index::{Index, LocalId};
use crate::lts::Step;

/// How many graphs the definition is asked about before the search for an execution is given up.
const JUDGEMENTS: usize = 2_000;

/// What depends on stale values.
pub(crate) struct Dependency<'p> {
    /// The reads that may be stale, by their steps.
    pub reads: Vec<usize>,
    pub dependent: Dependent<'p>,
    pub span: Span,
}

impl Witness<'_> {
    pub(crate) fn has_stale_reads(&self) -> bool {
        self.steps.iter().any(|step| step.tainted)
    }

    /// An execution that the model allows, which is the run but for what its stale reads read, and of which `shows`
    /// finds what it looks for, and after which the `acting` thread takes its next step. Reads that `prefer` says
    /// should be stale are so first, the others last.
    pub(crate) fn execution<T>(
        &self,
        acting: usize,
        prefer: impl Fn(usize) -> bool,
        mut shows: impl FnMut(&Graph) -> Option<T>,
    ) -> Option<(Graph, T)> {
        let used = self.used_reads(acting);
        let mut left = JUDGEMENTS;
        self.complete(&mut self.initial.clone(), 0, &used, &prefer, &mut shows, &mut left)
    }

    /// Goes on from a graph of the first steps.
    fn complete<T>(
        &self,
        graph: &mut Graph,
        from: usize,
        used: &[bool],
        prefer: &impl Fn(usize) -> bool,
        shows: &mut impl FnMut(&Graph) -> Option<T>,
        left: &mut usize,
    ) -> Option<(Graph, T)> {
        for (i, step) in self.steps.iter().enumerate().skip(from) {
            let Some(event) = step.event else { continue };
            let mut label = self.graph.event(event).label;
            let writes: Vec<EventId> = label.address.map_or(Vec::new(), |at| graph.writes(at).to_vec());
            if !step.tainted {
                let new = graph.push(step.thread as u32, label, step.span, writes.last().copied());
                graph.event_mut(new).used = used[i];
                continue;
            }
            let mut sources: Vec<EventId> = writes.iter().rev().copied().collect();
            if prefer(i) && !sources.is_empty() {
                sources.rotate_left(1);
            }
            for source in sources {
                let mut graph = graph.clone();
                label.read = graph.event(source).label.written;
                let new = graph.push(step.thread as u32, label, step.span, Some(source));
                graph.event_mut(new).used = used[i];
                *left = left.checked_sub(1)?;
                if self.definition.consistent(&graph) {
                    let found = self.complete(&mut graph, i + 1, used, prefer, shows, left);
                    if found.is_some() {
                        return found;
                    }
                }
            }
            return None;
        }
        *left = left.checked_sub(1)?;
        if !self.definition.consistent(graph) {
            return None;
        }
        shows(graph).map(|shown| (graph.clone(), shown))
    }

    /// An execution with the next step of a thread that makes hbSC^dp cyclic: the thread's step goes stale (paper 001
    /// Def. 4.5 and 4.9).
    pub(crate) fn stale_execution(&self, thread: usize) -> Option<(Graph, StaleStep)> {
        self.execution(
            thread,
            |_| false,
            |graph| {
                let labels = self.next[thread].0.labels().filter(|l| l.order.is_atomic());
                for label in labels {
                    let writes = graph.writes(label.at);
                    for &predecessor in &writes[..writes.len().saturating_sub(1)] {
                        let value = graph.event(predecessor).label.written.unwrap_or_default();
                        if !self.takes(thread, label, value) || !self.goes_wrong(thread, label, graph, predecessor) {
                            continue;
                        }
                        let event = event_label(label, value, self.next[thread].0.written(value).unwrap_or(value));
                        let mut extended = graph.extended(thread as u32, event, Some(predecessor));
                        let new = EventId(extended.len() as u32 - 1);
                        extended.event_mut(new).used = true;
                        let is_sc = match self.observational {
                            true => Relations::of(&extended).hb_sc_dp_step().is_acyclic(),
                            false => Definition::Sc.consistent(&extended),
                        };
                        if self.definition.consistent(&extended) && !is_sc {
                            return Some(StaleStep { label, predecessor });
                        }
                    }
                }
                None
            },
        )
    }

    /// Whether a stale predecessor is wrong: of a load that observational robustness would let pass, only if nothing
    /// was written there.
    pub(crate) fn goes_wrong(&self, thread: usize, label: Label, graph: &Graph, predecessor: EventId) -> bool {
        let passes = self.observational && label.kind == LabelKind::Read;
        !passes || self.unwritten[thread] && graph.event(predecessor).thread.is_none()
    }

    /// An execution in which one of the reads is stale, and cannot come where SC would have it: the read, and a write
    /// that it misses. Not if the thread may never take the step that depends on them, because it waits.
    pub(crate) fn dependent_execution(&self, thread: usize, reads: &[usize]) -> Option<(Graph, (usize, EventId))> {
        let waits = match self.next[thread].0 {
            Action::Wait { .. } => true,
            Action::Rmw { accept, .. } => accept != Accept::Any,
            _ => false,
        };
        if waits && self.machine().action_marks(&self.replay(thread, |_| 1)) != 0 {
            return None;
        }
        self.execution(
            thread,
            |step| reads.contains(&step),
            |graph| {
                let order = Relations::of(graph).hb_sc_dp();
                reads.iter().rev().find_map(|&step| {
                    let event = self.steps[step].event?;
                    Some((step, missed(graph, event, &order)?))
                })
            },
        )
    }

    /// By step, whether something depends on what it read, the next step of the acting thread among it.
    fn used_reads(&self, acting: usize) -> Vec<bool> {
        let mut used = vec![false; self.steps.len()];
        if !self.observational {
            return used;
        }
        for thread in 0..self.next.len() {
            let reads: Vec<usize> = (0..self.steps.len())
                .filter(|&i| self.steps[i].thread == thread && self.steps[i].read.is_some())
                .collect();
            for some in reads.chunks(64) {
                let marks = self.marks_of(thread, some, thread == acting);
                some.iter().enumerate().for_each(|(bit, &step)| used[step] = marks >> bit & 1 == 1);
            }
        }
        used
    }

    /// Which of at most 64 reads of a thread something depends on, as bits.
    fn marks_of(&self, thread: usize, reads: &[usize], acting: bool) -> u64 {
        let mark = |step: usize| reads.iter().position(|&read| read == step).map_or(0, |bit| 1 << bit);
        let state = self.replay(thread, mark);
        state.used_marks() | if acting { self.machine().action_marks(&state) } else { 0 }
    }

    /// The thread at the end of the run, with marks on some reads.
    fn replay(&self, thread: usize, mark: impl Fn(usize) -> u64) -> ThreadState {
        let (lts, machine) = (&self.compiled.lts, self.machine());
        let mut state = match machine.program().threads.get(thread) {
            Some(_) => machine.start(thread),
            None => ThreadState::unborn(thread as u32),
        };
        let mut locals = vec![LocalId::FIRST; lts.threads.count()];
        for (i, &step) in self.moves.iter().enumerate() {
            let local = lts.local(step.thread, locals[step.thread]);
            if let (Action::Spawn { func, argument, .. }, Step::Spawn { number, .. }) = (local.action, local.step)
                && lts.threads.child(step.thread, number) == Some(thread)
            {
                state = machine.start_spawned(thread as u32, func, argument);
            }
            if step.thread == thread
                && let Some(answer) = lts.answer(locals[thread], step)
            {
                machine.resume(&mut state, answer, mark(i));
            }
            advance(self.compiled, &mut locals, step);
        }
        state
    }

    /// What a thread depends on, and where.
    pub(crate) fn dependency(&self, thread: usize) -> Dependency<'_> {
        let stale: Vec<usize> =
            (0..self.steps.len()).filter(|&i| self.steps[i].thread == thread && self.steps[i].tainted).collect();
        let mut reads = Vec::new();
        for some in stale.chunks(64) {
            let marks = self.marks_of(thread, some, true);
            reads.extend(some.iter().enumerate().filter(|(bit, _)| marks >> bit & 1 == 1).map(|(_, &step)| step));
        }
        let (action, span) = self.next[thread];
        let pending = Dependency { reads: reads.clone(), dependent: Dependent::Step(action), span };
        let Some(last) = self.moves.iter().rposition(|step| step.thread == thread) else { return pending };
        let mut locals = vec![LocalId::FIRST; self.compiled.lts.threads.count()];
        self.moves[..last].iter().for_each(|&step| advance(self.compiled, &mut locals, step));
        let (before, step) = (locals[thread], self.moves[last]);
        let marks = self.steps[last].tainted as u64;
        let state = &self.compiled.lts.local(thread, before).state;
        let answer = self.compiled.lts.answer(before, step);
        match answer.and_then(|answer| self.machine().first_dependency(state, answer, marks)) {
            Some((inst, span)) => Dependency { reads, dependent: Dependent::Instruction(inst), span },
            None => pending,
        }
    }
}

/// The last write to a location that is ordered before a read which reads from an older one.
fn missed(graph: &Graph, read: EventId, order: &Relation) -> Option<EventId> {
    let writes = graph.writes(graph.event(read).label.address?);
    let source = writes.iter().position(|&w| Some(w) == graph.source(read))?;
    writes[source + 1..].iter().rev().copied().find(|&write| order.contains(write, read))
}
