//! Whether an alarm is real, by looking at every execution.

use std::time::Duration;

use fencepost_budget::Limits;
use fencepost_explore::{Options as Exploring, Watch, explore};
use fencepost_models::Engine;
use fencepost_program::question::Proposition;
use fencepost_program::{Failure, Inst, Operand, Program};
use fencepost_story::{Outcome, ProofDecision, Properties, Reason, Run};

use crate::axioms::{Question, TooMany, find_execution_within};
use crate::proof::{Answer, Check, Options};
use crate::unfold::Cells;

/// Iterations up to which a loop is followed. Beyond that, it says nothing that no execution fails.
const UNROLL: u32 = 4;
/// Maximum number of candidate executions under RMO.
const MOST_CANDIDATES: u64 = 5_000_000;
/// Executions read 0 there, a proof anything.
const UNINITIALISED: &str = "no execution fails if uninitialised memory holds 0";

/// How alarms are decided.
#[derive(Clone, Copy, Debug)]
pub struct Confirm {
    /// Time limit for each alarm.
    pub time_per_alarm: Option<Duration>,
}

impl Confirm {
    /// The time limit for each alarm if the user sets no limit for everything.
    pub const TIME_PER_ALARM: Duration = Duration::from_secs(10);
}

/// Looks for an execution of `program`, which `cells` was made from, in which the property of an alarm fails.
pub(crate) fn decide(
    program: &Program,
    cells: &Cells,
    never: Option<&Proposition>,
    answer: &Answer,
    options: &Options,
    confirm: Confirm,
) -> ProofDecision {
    if !options.model.descriptor().engines.contains(&Engine::Explore) {
        return by_axioms(cells, never, answer, options);
    }
    let program = without_other_assertions(program, answer);
    let asked = answer.check != Check::Condition;
    let exploring = Exploring {
        properties: Properties { assertions: asked, ..Properties::NONE },
        unroll: Some(UNROLL),
        budget: options.budget.within(Limits { timeout: confirm.time_per_alarm, bytes: None }),
        ..Exploring::new(options.model)
    };
    let mut reached = None;
    let exploration = explore(&program, &exploring, &Watch::default(), |execution| {
        let value = |observable| execution.observable(observable);
        if reached.is_none() && never.is_some_and(|never| never.holds(&value)) {
            reached = Some(execution.run().trace());
        }
    });
    let exploration = match exploration {
        Ok(exploration) => exploration,
        Err(refusal) => return ProofDecision::Undecided(refusal.message),
    };
    let violation = exploration.verdict.violations.into_iter().next();
    let here = violation.as_ref().is_some_and(|v| v.accesses.iter().any(|site| site.span == answer.span));
    if let Some(trace) = reached.filter(|_| !asked) {
        return ProofDecision::Real(trace);
    }
    match exploration.verdict.outcome {
        Outcome::Violated if here => ProofDecision::Real(violation.map(|v| v.trace).unwrap_or_default()),
        Outcome::Violated => ProofDecision::Undecided("another error comes first".into()),
        Outcome::Unknown(reason) => ProofDecision::Undecided(reason.to_string()),
        Outcome::Holds if exploration.bounded => {
            ProofDecision::Undecided(format!("no execution fails up to {UNROLL} iterations of each loop"))
        }
        Outcome::Holds if cells.uninitialised => ProofDecision::Undecided(UNINITIALISED.into()),
        Outcome::Holds => ProofDecision::Bogus,
    }
}

/// Explorations never see a cycle of program order and reads-from, which RMO allows.
fn by_axioms(cells: &Cells, never: Option<&Proposition>, answer: &Answer, options: &Options) -> ProofDecision {
    let question = match (answer.check, never) {
        (Check::Condition, Some(never)) => Question::Ends(never),
        _ => Question::Fails(answer.span),
    };
    let program = without_other_assertions(&cells.program, answer);
    match find_execution_within(&program, options.model, question, MOST_CANDIDATES, &options.budget) {
        Ok(Some(_)) if !cells.exact => {
            ProofDecision::Undecided("the failing execution uses pointers or values that are not known exactly".into())
        }
        Ok(Some(graph)) => ProofDecision::Real(Run::of_graph(&program, options.model, graph).trace()),
        Ok(None) if cells.uninitialised || !cells.starts_with_known_values() => {
            ProofDecision::Undecided(UNINITIALISED.into())
        }
        Ok(None) => ProofDecision::Bogus,
        Err(TooMany) => ProofDecision::Undecided(match options.budget.spent() {
            Some(spent) => Reason::from(spent).to_string(),
            None => "there are too many executions".into(),
        }),
    }
}

/// A thread still stops where another assertion fails, but that is not what is asked about.
fn without_other_assertions(program: &Program, answer: &Answer) -> Program {
    let mut program = program.clone();
    for function in &mut program.functions {
        for (inst, span) in function.code.iter_mut().zip(&function.spans) {
            if *span == answer.span {
                continue;
            }
            match *inst {
                Inst::Assert { cond } => *inst = Inst::Assume { cond },
                Inst::Fail { failure: Failure::Assertion } => *inst = Inst::Assume { cond: Operand::Const(0) },
                _ => {}
            }
        }
    }
    program
}
