//! An answer for each property: by what holds in every execution, or else by cases.

use fencepost_program::Span;

use crate::domains::Domain;
use crate::proof::answer::{Alarm, Answer};
use crate::proof::explain::{Explanation, Grounds};
use crate::proof::options::{Method, Options};
use crate::proof::property::{Check, Property, Values};
use crate::search::{Found, Limits, Search};
use crate::system::locks::Section;
use crate::system::{At, Facts, System};

/// What properties are proved from.
pub(crate) struct Prover<'s, 'p, D> {
    pub(crate) system: &'s System<'p>,
    /// What holds in every execution.
    pub(crate) facts: &'s Facts<D>,
    pub(crate) sections: &'s [Section],
    pub(crate) options: &'s Options,
    pub(crate) limits: Limits<'s>,
    /// Where the answer is about that is to be explained.
    pub(crate) explained: Option<(Check, Span)>,
}

/// Number of cases that are looked at for each property before more are looked at for any: when time runs out, what is
/// easy is proved.
pub(crate) const FEW_CASES: u64 = 24;

impl<D: Domain> Prover<'_, '_, D> {
    /// An answer for each property, and an explanation of those that it was asked of.
    pub(crate) fn answers(&self, properties: &[Property]) -> (Vec<Answer>, Vec<Explanation>) {
        let answered = || self.options.watch.answered.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let mut answers: Vec<Answer> = properties.iter().map(Answer::none).collect();
        let mut explanations: Vec<Explanation> = Vec::new();
        // What was found before counts, if it was found in time.
        if self.limits.are_reached() {
            return (answers, explanations);
        }
        let mut open: Vec<usize> = Vec::new();
        for (i, property) in properties.iter().enumerate() {
            let few = self.options.max_cases.min(FEW_CASES);
            if let Some(known) = self.by_invariants(property) {
                explanations.extend(self.is_explained(property).then(|| Explanation::by_values(i)));
                answers[i] = known;
            } else if !self.limits.are_reached() {
                answers[i] = self.by_cases(i, property, few, &mut explanations);
            }
            match &answers[i].alarm {
                Some(Alarm { limit: true, .. }) => open.push(i),
                _ => _ = answered(),
            }
        }
        for i in open {
            if self.options.max_cases > FEW_CASES && !self.limits.are_reached() {
                answers[i] = self.by_cases(i, &properties[i], self.options.max_cases, &mut explanations);
            }
            answered();
        }
        (answers, explanations)
    }

    fn is_explained(&self, property: &Property) -> bool {
        self.explained == Some((property.check(), property.span))
    }

    /// What holds in all executions is enough for an answer: a proof, or by Miné's method an alarm too.
    fn by_invariants(&self, property: &Property) -> Option<Answer> {
        let (system, facts, method) = (self.system, self.facts, self.options.method);
        let cell = |at| system.final_value(at, facts);
        let fails = property.may_fail(system, facts, &cell);
        let alarm = (fails && method == Method::Mine).then(|| Alarm {
            thread: property.node().map(|(thread, _)| thread),
            values: property.values(system, facts, &cell, Values::Failing),
            combination: Vec::new(),
            limit: false,
        });
        let cases = !property.is_trivial() as u64;
        let answer = Answer { check: property.check(), span: property.span, alarm, reached: true, cases };
        (!fails || method == Method::Mine).then_some(answer)
    }

    fn by_cases(&self, number: usize, property: &Property, budget: u64, explanations: &mut Vec<Explanation>) -> Answer {
        let mut search = self.search(budget);
        search.record = self.is_explained(property).then(Vec::new);
        let alarm = match search.prove(property, self.facts) {
            // Nothing is proved by analyses that ended early.
            Found::Proof if self.limits.are_reached() => {
                return Answer { cases: search.cases, ..Answer::none(property) };
            }
            Found::Proof => None,
            Found::Alarm(case) => Some(Alarm::of(self.system, property, &case, false)),
            Found::Limit(case) => Some(Alarm::of(self.system, property, &case, true)),
        };
        if let Some(cases) = search.record {
            // A search that goes on begins again.
            explanations.retain(|known| known.property != number);
            explanations.push(Explanation { property: number, grounds: Grounds::Cases(cases) });
        }
        Answer { check: property.check(), span: property.span, alarm, reached: true, cases: search.cases }
    }

    pub(crate) fn search(&self, budget: u64) -> Search<'_, '_> {
        Search {
            system: self.system,
            deduction: self.options.method.deduction(),
            sections: self.sections,
            limits: self.limits,
            budget,
            cases: 0,
            record: None,
        }
    }
}

impl System<'_> {
    /// The values that an observed cell may end with in any execution.
    pub(crate) fn final_value<D>(
        &self,
        cell: fencepost_program::Address,
        facts: &Facts<D>,
    ) -> Option<crate::domains::Interval> {
        let load = self.events.iter().position(|e| e.at == At::End && e.cells.0 == cell)?;
        self.join_of_sources(load, &facts.values)
    }
}
