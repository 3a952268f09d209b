//! What was found out about each property, by threads and nodes of the system.

use fencepost_program::{Address, Span};

use crate::domains::{Domain, Interval};
use crate::proof::property::{Check, Property, Values};
use crate::search::case::{Case, Decision};
use crate::system::{At, System};

/// One answer for each place in the source, in source order.
#[derive(Clone, Debug)]
pub struct Proof {
    pub answers: Vec<Answer>,
    /// If no execution completes because of assumptions: where they are.
    pub cut_off: Option<Vec<Span>>,
    /// Cases looked at.
    pub cases: u64,
    /// Why bad cases of the answer that was asked about are impossible; a line each.
    pub explanation: Option<Vec<String>>,
}

#[derive(Clone, Debug)]
pub struct Answer {
    pub check: Check,
    /// Line 0 for a condition on final states.
    pub span: Span,
    /// `None` if it is proved.
    pub alarm: Option<Alarm>,
    /// Not if no execution gets there: then it is proved whatever it says.
    pub reached: bool,
    pub cases: u64,
}

impl Answer {
    pub fn is_proved(&self) -> bool {
        self.alarm.is_none()
    }

    pub(crate) fn place(&self) -> (Check, Span) {
        (self.check, self.span)
    }
}

/// A case in which a property may fail.
#[derive(Clone, Debug)]
pub struct Alarm {
    /// `None` for a condition on final states.
    pub thread: Option<usize>,
    /// What the property is about, and the values that may break it.
    pub values: Vec<(String, Interval)>,
    /// The reads-from combination, thread by thread, in program order.
    pub combination: Vec<ReadChoice>,
    /// Whether the search ended because there were too many cases.
    pub limit: bool,
}

/// A load and what it reads in some case.
#[derive(Clone, Debug)]
pub struct ReadChoice {
    /// `None` for the final value of a cell.
    pub thread: Option<usize>,
    pub span: Span,
    /// The cell, if it is certain which.
    pub cell: Option<Address>,
    pub from: ReadSource,
    pub value: Option<Interval>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadSource {
    /// The load is not executed.
    NotExecuted,
    InitialValue,
    Store {
        thread: usize,
        span: Span,
    },
}

impl Answer {
    /// There was no time for it.
    pub(crate) fn none(property: &Property) -> Answer {
        let thread = property.node().map(|(thread, _)| thread);
        let alarm = Alarm { thread, values: Vec::new(), combination: Vec::new(), limit: true };
        Answer { check: property.check(), span: property.span, alarm: Some(alarm), reached: true, cases: 0 }
    }
}

impl Alarm {
    /// The case in which a property may fail; `limit` if the search ended there.
    pub(crate) fn of<D: Domain>(system: &System, property: &Property, case: &Case<D>, limit: bool) -> Alarm {
        let mut decided = case.trail.clone();
        decided.sort_unstable();
        let combination = decided.iter().map(|&load| {
            let event = &system.events[load];
            let from = match case.decisions[load] {
                Decision::Open | Decision::Skipped => ReadSource::NotExecuted,
                Decision::From { store, .. } => match system.events[store].at {
                    At::Node { thread, .. } => ReadSource::Store { thread, span: system.events[store].span },
                    At::Start | At::End => ReadSource::InitialValue,
                },
            };
            let value = case.reading(system, load).value;
            ReadChoice { thread: event.thread(), span: event.span, cell: event.cell(), from, value }
        });
        Alarm {
            thread: property.node().map(|(thread, _)| thread),
            values: property.values(system, &case.facts, &|at| case.final_value(system, at), Values::Failing),
            combination: combination.collect(),
            limit,
        }
    }
}
