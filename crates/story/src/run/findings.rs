//! Races, failures, deadlocks and conditions in words.

use fencepost_graph::EventId;
use fencepost_program::{Failure, Waiting};

use super::{Run, Step};
use crate::{AccessSite, Finding, FindingKind};

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
        Finding { accesses, explanation, confirmed, ..self.finding(FindingKind::DataRace, message, &highlighted, &[]) }
    }

    /// The next step of a thread is a failure.
    pub fn failed(&self, step: &Step, failure: Failure) -> Finding {
        let name = self.names.thread_name(step.thread);
        let message = match failure {
            Failure::Assertion => format!("an assertion of {name} fails"),
            _ => format!("{name} {}", failure.text(&self.names)),
        };
        Finding {
            accesses: vec![self.site(step, "fails")],
            explanation: std::iter::once(self.against_sc()).chain(self.reused_memory()).collect(),
            ..self.finding(FindingKind::of_failure(failure), message, &[], &[])
        }
    }

    /// Threads wait for ever: the next step of each, and what it waits for.
    pub fn deadlock(&self, stuck: &[(Step, Waiting)]) -> Finding {
        let message = Waiting::message(stuck.iter().map(|(_, waiting)| waiting)).to_owned();
        let reason = |(step, waiting): &(Step, Waiting)| {
            let newest = waiting.at.filter(|_| waiting.is_lock).and_then(|at| self.graph.writes(at).last());
            let holder = match newest.and_then(|&write| self.graph.event(write).thread) {
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
        Finding {
            accesses: stuck.iter().map(site).collect(),
            explanation: reasons.collect(),
            ..self.finding(FindingKind::Deadlock, message, &[], &[])
        }
    }
}

/// The final states do not satisfy a condition. `example` is an execution that refutes it, if one is enough.
pub fn refuted_condition(condition: &str, refuted: Refuted, example: Option<&Run>) -> Finding {
    let what = match refuted {
        Refuted::NoneSatisfies => "no execution satisfies it",
        Refuted::OneSatisfies => "an execution satisfies what it excludes",
        Refuted::OneDoesNot => "an execution does not satisfy it",
    };
    let (kind, message) = (FindingKind::Condition, format!("`{condition}`: {what}"));
    match example {
        Some(run) => Finding { explanation: vec![run.against_sc()], ..run.finding(kind, message, &[], &[]) },
        None => Finding::new(kind, message),
    }
}
