//! Races, failures, deadlocks and conditions in words.

use fencepost_graph::EventId;
use fencepost_program::{Failure, Waiting};

use super::{Run, Step};
use crate::{AccessSite, Edge, Finding, FindingKind, Node, NodeKind, WitnessGraph};

/// What a condition asks of the executions, and does not get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refuted {
    /// An execution that satisfies it.
    NoneSatisfies,
    /// That no execution satisfies its proposition.
    OneSatisfies,
    /// That all executions satisfy it.
    OneDoesNot,
}

impl Run<'_> {
    /// Two accesses race; the second one is not known where only monitors have seen it. Both are events of the graph.
    /// If no execution is known in which they race, the finding is not `confirmed`.
    pub fn race(&self, access: &Step, other: Option<EventId>, confirmed: bool) -> Finding {
        let races = if confirmed { "races" } else { "may race" };
        let mut accesses = vec![self.site(access, races)];
        let with = match other {
            Some(other) => self.event_name(other),
            None => format!("an earlier access to {}", accesses[0].location),
        };
        accesses.extend(other.map(|other| self.event_site(other, "with this one")));
        let message = format!("{} {races} with {with}", self.name(access));
        let why = if confirmed {
            "Both access the location, one of them writes, one of them is not atomic, and neither happens before the \
             other: this is undefined behaviour."
                .to_owned()
        } else {
            format!(
                "A stale read does not synchronise, so nothing orders the two accesses in this run. No execution of {} \
                 was found in which they race, so this may be a false alarm. Each step below reads the last value.",
                self.model_name()
            )
        };
        let highlighted: Vec<EventId> = access.event.into_iter().chain(other).collect();
        let explanation = std::iter::once(why).chain(self.reused_memory()).collect();
        let mut finding = self.finding(FindingKind::DataRace, message, &highlighted, &[]);
        if let ([first, second], Some(graph)) = (&highlighted[..], &mut finding.graph) {
            // One edge with others between the two.
            let is_after = graph.edges.iter().any(|e| (e.from, e.to) == (first.index(), second.index()));
            let (from, to) = if is_after { (first, second) } else { (second, first) };
            let (from, to, relation) = (from.index(), to.index(), "race".to_owned());
            graph.edges.push(Edge { from, to, relation, highlighted: true });
        }
        if let Some(event) = access.event {
            finding.tell_of(event, &self.text(access), &[]);
        }
        Finding { accesses, explanation, confirmed, ..finding }
    }

    /// The next step of a thread is a failure.
    pub fn failed(&self, step: &Step, failure: Failure) -> Finding {
        let name = self.names.thread_name(step.thread);
        let message = match failure {
            Failure::Assertion => format!("an assertion of {name} fails"),
            _ => format!("{name} {}", failure.text(&self.names)),
        };
        let label = match failure {
            Failure::Assertion => "assertion fails".to_owned(),
            _ => failure.text(&self.names).replace('`', ""),
        };
        let mut finding = self.finding(FindingKind::of_failure(failure), message, &[], &self.sc_cycle());
        if let Some(graph) = &mut finding.graph {
            graph.and_then(self.next_node(step, NodeKind::Failure, label), None);
        }
        Finding {
            accesses: vec![self.site(step, "fails")],
            explanation: std::iter::once(self.against_sc()).chain(self.reused_memory()).collect(),
            ..finding.folded()
        }
    }

    /// Threads wait for ever: the next step of each, and what it waits for.
    pub fn deadlock(&self, stuck: &[(Step, Waiting)]) -> Finding {
        let message = Waiting::message(stuck.iter().map(|(_, waiting)| waiting)).to_owned();
        let newest = |waiting: &Waiting| {
            waiting.at.filter(|_| waiting.is_lock).and_then(|at| self.graph.writes(at).last()).copied()
        };
        let reason = |(step, waiting): &(Step, Waiting)| {
            let holder = match newest(waiting).and_then(|write| self.graph.event(write).thread) {
                Some(holder) if holder as usize == step.thread => ", which it holds itself".to_owned(),
                Some(holder) => format!(", which {} holds", self.names.thread_name(holder as usize)),
                None => String::new(),
            };
            format!("{} {}{holder}.", self.names.thread_name(step.thread), waiting.text)
        };
        let site = |(step, waiting): &(Step, Waiting)| AccessSite {
            operation: waiting.operation.into(),
            location: waiting.at.map(|at| self.names.cell_name(at)).unwrap_or_default(),
            ..self.site(step, waiting.role())
        };
        let reasons = stuck.iter().map(reason).chain([self.against_sc()]).chain(self.reused_memory());
        let mut finding = self.finding(FindingKind::Deadlock, message, &[], &self.sc_cycle());
        if let Some(graph) = &mut finding.graph {
            for (step, waiting) in stuck {
                let node = self.next_node(step, NodeKind::Waiting, waiting.text.replace('`', ""));
                let taken = newest(waiting).filter(|&write| self.graph.event(write).thread.is_some());
                graph.and_then(node, taken.map(|write| ("waits for", write.index())));
            }
        }
        Finding { accesses: stuck.iter().map(site).collect(), explanation: reasons.collect(), ..finding.folded() }
    }
}

impl Run<'_> {
    /// What a thread wants to do next, as a node behind its events.
    fn next_node(&self, step: &Step, kind: NodeKind, label: String) -> Node {
        let location = step.action.address().map(|at| self.names.cell_name(at));
        let (thread, span, text) = (Some(step.thread), step.span, self.text(step));
        Node { kind, thread, label, text, location, span, highlighted: true, ..Node::default() }
    }
}

impl Finding {
    fn folded(mut self) -> Finding {
        self.graph = self.graph.map(WitnessGraph::folded);
        self
    }
}

/// An execution that satisfies what a condition asks for.
pub fn satisfied_condition(condition: &str, run: &Run) -> Finding {
    run.example(format!("`{condition}`: this execution satisfies it"))
}

impl Run<'_> {
    /// The execution itself, to be looked at: no violation.
    pub fn example(&self, message: String) -> Finding {
        let finding = self.finding(FindingKind::Condition, message, &[], &self.sc_cycle());
        Finding { explanation: vec![self.against_sc()], ..finding }
    }
}

/// The final states do not satisfy a condition. `example` is an execution that refutes it, if one is enough.
pub fn refuted_condition(condition: &str, refuted: Refuted, example: Option<&Run>) -> Finding {
    let what = match refuted {
        Refuted::NoneSatisfies => "no execution satisfies it",
        Refuted::OneSatisfies => "an execution satisfies what it excludes",
        Refuted::OneDoesNot => "an execution does not satisfy it",
    };
    let message = format!("`{condition}`: {what}");
    match example {
        Some(run) => run.example(message),
        None => Finding::new(FindingKind::Condition, message),
    }
}
