//! The final states of the complete executions, and the condition of a litmus test.

use std::collections::BTreeMap;

use fencepost_models::Refusal;
use fencepost_program::question::{Condition, Observable, Proposition, Quantifier};
use fencepost_program::{Program, Value};
use fencepost_story::{
    ConditionAnswer, Executions, FinalState, Finding, Outcome, Reason, Refuted, Verdict, refuted_condition,
};

use crate::{Options, Shown, Watch, count, explore};

/// What is asked about the final states of a program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Question<'a> {
    pub condition: Option<&'a Condition>,
    /// The condition is about the executions with this property only.
    pub filter: Option<&'a Proposition>,
    /// What a final state consists of, with its names, beside what the condition mentions.
    pub observed: &'a [(String, Observable)],
    /// List all final states.
    pub outcomes: bool,
}

/// Explores a program and answers a question about its final states. The condition decides the verdict where nothing
/// worse is found. `show` sees each complete execution, as that of [`explore`] does.
pub fn explore_final_states(
    program: &Program,
    options: &Options,
    question: &Question,
    watch: &Watch,
    show: Option<&mut (dyn FnMut(&Shown) + Send)>,
) -> Result<(Verdict, Executions), Refusal> {
    let mut states = FinalStates::new(program, question);
    let is_asked = question.outcomes || question.condition.is_some();
    let exploration = match show {
        None if !is_asked => count(program, options, watch),
        None => explore(program, options, watch, |execution| states.add(execution)),
        Some(show) => explore(program, options, watch, |execution| {
            states.add(execution);
            show(execution);
        }),
    }?;
    let mut verdict = exploration.verdict;
    states.decide(&mut verdict, exploration.bounded);
    let executions = Executions {
        complete: exploration.complete,
        blocked: exploration.blocked,
        events: exploration.events,
        bound: options.unroll.filter(|_| exploration.bounded),
        estimate: None,
        condition: states.condition(),
        outcomes: states.outcomes(),
    };
    Ok((verdict, executions))
}

struct FinalStates<'a> {
    question: &'a Question<'a>,
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
    fn new(program: &Program, question: &'a Question<'a>) -> FinalStates<'a> {
        FinalStates {
            question,
            observed: observed(question, program),
            states: question.outcomes.then(BTreeMap::new),
            satisfying: 0,
            others: 0,
            counterexample: None,
        }
    }

    fn add(&mut self, execution: &Shown) {
        let value = |observable| execution.observable(observable);
        if self.question.filter.is_some_and(|filter| !filter.holds(&value)) {
            return;
        }
        let condition = self.question.condition;
        let satisfies = condition.map(|condition| condition.proposition.holds(&value));
        match satisfies {
            Some(true) => self.satisfying += 1,
            _ => self.others += 1,
        }
        if self.counterexample.is_none()
            && let Some((condition, satisfies)) = condition.zip(satisfies)
            && let Some(refuted) = refuted(condition, satisfies)
        {
            self.counterexample = Some(refuted_condition(&condition.text, refuted, Some(&execution.run())));
        }
        if let Some(states) = &mut self.states {
            let state = self.observed.iter().map(|(_, observable)| value(*observable)).collect();
            states.entry(state).or_insert(Count { executions: 0, satisfies }).executions += 1;
        }
    }

    fn condition(&self) -> Option<ConditionAnswer> {
        let condition = self.question.condition?;
        let (satisfying, others) = (self.satisfying, self.others);
        let holds = condition.holds(satisfying as usize, (satisfying + others) as usize);
        Some(ConditionAnswer { text: condition.text.clone(), satisfying, others, holds })
    }

    fn outcomes(&self) -> Option<Vec<FinalState>> {
        let states = self.states.as_ref()?.iter().map(|(state, count)| FinalState {
            values: self.observed.iter().map(|(name, _)| name.clone()).zip(state.iter().copied()).collect(),
            executions: count.executions,
            satisfies: count.satisfies,
        });
        Some(states.collect())
    }

    /// Lets the condition decide, where nothing worse was found. A limit or a bound on loops leaves open what more
    /// executions could change.
    fn decide(&self, verdict: &mut Verdict, bounded: bool) {
        let Some(condition) = self.question.condition else { return };
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

/// What is asked about, each observable once; all locations of a program if nothing is.
fn observed(question: &Question, program: &Program) -> Vec<(String, Observable)> {
    let mut asked = Vec::new();
    if let Some(condition) = question.condition {
        condition.proposition.collect_observables(&mut asked);
    }
    asked.sort();
    let named = asked.into_iter().map(|observable| (name(program, observable), observable));
    let mut observed: Vec<(String, Observable)> = Vec::new();
    for (name, observable) in named.chain(question.observed.iter().cloned()) {
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
            format!("{thread}:{}", function.registers[reg.0 as usize].name().unwrap_or_default())
        }
        Observable::Cell(cell) => program.cell_name(cell),
    }
}
