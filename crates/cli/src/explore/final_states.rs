//! The final states of the complete executions, and the condition of a litmus test.

use std::collections::BTreeMap;

use fencepost_explore::Shown;
use fencepost_frontend::Input;
use fencepost_program::question::{Condition, Observable, Quantifier};
use fencepost_program::{Program, Value};
use fencepost_report::{ConditionAnswer, FinalState};
use fencepost_story::{Finding, Outcome, Reason, Refuted, Verdict, refuted_condition};

pub struct FinalStates<'a> {
    input: &'a Input,
    program: &'a Program,
    /// What a final state consists of.
    observed: Vec<(String, Observable)>,
    /// The values of each state; if asked for.
    states: Option<BTreeMap<Vec<Value>, Count>>,
    satisfying: u64,
    others: u64,
    /// An execution that shows that the condition does not hold.
    counterexample: Option<Finding>,
}

struct Count {
    executions: u64,
    /// Whether the state satisfies the proposition.
    satisfies: Option<bool>,
}

impl<'a> FinalStates<'a> {
    /// `program` is `input.observing()`. All states are remembered only if they are `wanted`.
    pub fn new(input: &'a Input, program: &'a Program, wanted: bool) -> FinalStates<'a> {
        FinalStates {
            input,
            program,
            observed: observed(input, program),
            states: wanted.then(BTreeMap::new),
            satisfying: 0,
            others: 0,
            counterexample: None,
        }
    }

    /// Whether anything depends on them.
    pub fn are_wanted(&self) -> bool {
        self.states.is_some() || self.input.condition.is_some()
    }

    pub fn add(&mut self, execution: &Shown) {
        let value = |observable| value(self.program, execution, observable);
        if self.input.filter.as_ref().is_some_and(|filter| !filter.holds(&value)) {
            return;
        }
        let condition = self.input.condition.as_ref();
        let satisfies = condition.map(|condition| condition.proposition.holds(&value));
        match satisfies {
            Some(true) => self.satisfying += 1,
            _ => self.others += 1,
        }
        if self.counterexample.is_none()
            && let Some(refuted) = condition.zip(satisfies).and_then(|(c, s)| refuted(c, s))
        {
            let text = condition.map_or("", |condition| &condition.text);
            self.counterexample = Some(refuted_condition(text, refuted, Some(&execution.run())));
        }
        if let Some(states) = &mut self.states {
            let state = self.observed.iter().map(|(_, observable)| value(*observable)).collect();
            states.entry(state).or_insert(Count { executions: 0, satisfies }).executions += 1;
        }
    }

    pub fn condition(&self) -> Option<ConditionAnswer> {
        let condition = self.input.condition.as_ref()?;
        let (satisfying, others) = (self.satisfying, self.others);
        let holds = condition.holds(satisfying as usize, (satisfying + others) as usize);
        Some(ConditionAnswer { text: condition.text.clone(), satisfying, others, holds })
    }

    pub fn outcomes(&self) -> Option<Vec<FinalState>> {
        let states = self.states.as_ref()?.iter().map(|(state, count)| FinalState {
            values: self.observed.iter().map(|(name, _)| name.clone()).zip(state.iter().copied()).collect(),
            executions: count.executions,
            satisfies: count.satisfies,
        });
        Some(states.collect())
    }

    /// Lets the condition decide, where nothing worse was found. A limit or a bound on loops leaves open what more
    /// executions could change.
    pub fn decide(&self, verdict: &mut Verdict, bounded: bool) {
        let Some(condition) = &self.input.condition else { return };
        if verdict.outcome == Outcome::Holds
            && self.satisfying + self.others == 0
            && condition.quantifier != Quantifier::Exists
        {
            let nothing = "no execution passes the filter, so the condition is about no execution";
            verdict.outcome = Outcome::Unknown(Reason::NoExecution(nothing.into()));
            return;
        }
        let refuted = match verdict.outcome {
            Outcome::Violated => return,
            Outcome::Holds => self.condition().is_some_and(|answer| !answer.holds),
            Outcome::Unknown(_) => self.counterexample.is_some(),
        };
        if refuted && bounded && self.counterexample.is_none() {
            let open = "executions beyond the bound on loops (--unroll) may satisfy the condition";
            verdict.outcome = Outcome::Unknown(Reason::Other(open.into()));
        } else if refuted {
            verdict.outcome = Outcome::Violated;
            let none_satisfies = || refuted_condition(&condition.text, Refuted::NoneSatisfies, None);
            verdict.violations.push(self.counterexample.clone().unwrap_or_else(none_satisfies));
        }
    }
}

/// How one execution refutes the condition, if it does, by whether it satisfies the proposition.
fn refuted(condition: &Condition, satisfies: bool) -> Option<Refuted> {
    match (condition.quantifier, satisfies) {
        (Quantifier::NotExists, true) => Some(Refuted::OneSatisfies),
        (Quantifier::Forall, false) => Some(Refuted::OneDoesNot),
        _ => None,
    }
}

/// What a litmus test asks about, each once; all locations of a program that asks about nothing.
fn observed(input: &Input, program: &Program) -> Vec<(String, Observable)> {
    let mut asked = Vec::new();
    if let Some(condition) = &input.condition {
        condition.proposition.collect_observables(&mut asked);
    }
    asked.sort();
    let named = asked.into_iter().map(|observable| (name(program, observable), observable));
    let mut observed: Vec<(String, Observable)> = Vec::new();
    for (name, observable) in named.chain(input.observed.iter().cloned()) {
        if observed.iter().all(|(_, known)| *known != observable) {
            observed.push((name, observable));
        }
    }
    if observed.is_empty() {
        observed.extend(program.cells().map(|cell| (program.cell_name(cell), Observable::Cell(cell))));
    }
    observed
}

/// `0:r0` for a register, as litmus tests have it.
fn name(program: &Program, observable: Observable) -> String {
    match observable {
        Observable::Register { thread, reg } => {
            let function = program.function(program.threads[thread].func);
            format!("{thread}:{}", function.registers[reg.0 as usize].0)
        }
        Observable::Cell(cell) => program.cell_name(cell),
    }
}

fn value(program: &Program, execution: &Shown, observable: Observable) -> Value {
    match observable {
        Observable::Register { thread, reg } => {
            let index = program.observed_index(thread, reg);
            index.and_then(|index| execution.registers(thread).get(index)).copied().unwrap_or(0)
        }
        Observable::Cell(cell) => execution.value(cell),
    }
}
