//! Fixes for what an exploration finds: with each, the program is explored again before it is offered.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use fencepost_budget::Limits;
use fencepost_fixes::{Effort, Engine, Tried, Wrong, proposals};
use fencepost_models::{self as models, Model};
use fencepost_program::Program;
use fencepost_story::{Finding, Outcome, Properties};

use crate::explain::Found;
use crate::findings::Findings;
use crate::{Options, Shown, Watch, all_findings, exploration};

/// For how many executions changed programs are looked at: each at first, and all together.
const QUICK_EXECUTIONS: u64 = 20_000;
const EXECUTIONS_IN_ALL: u64 = 1_000_000;

/// Adds fixes to a violation, or says that there is none because the program fails under SC, too.
pub(crate) fn add(program: &Program, options: &Options, time: Duration, found: &Found, violation: &mut Finding) {
    // The explanation says so already.
    let is_sc = found.wrong == Wrong::Allowed && Model::Sc.consistent(&found.graph);
    if is_sc {
        return;
    }
    let budget = options.budget.within(Limits { timeout: Some(time), bytes: None });
    let options = &Options { budget: budget.clone(), fixes: None, show_blocked: false, ..options.clone() };
    if let Some(failure) = failure_under_sc(program, options) {
        let why = format!("No ordering helps, because the program fails under SC as well: {failure}.");
        violation.explanation.push(why);
        return;
    }
    let proposed = proposals(program, options.model, &found.graph, found.wrong);
    let effort = Effort { quick: QUICK_EXECUTIONS, in_all: EXECUTIONS_IN_ALL, budget };
    violation.fixes = fencepost_fixes::suggest(program, proposed, effort, Exploring(options));
}

fn findings(program: &Program, options: &Options) -> Findings {
    all_findings(program, options, &Watch::default(), None::<Mutex<fn(&Shown)>>)
}

/// How an execution under SC goes wrong, unless happens-before decides that.
fn failure_under_sc(program: &Program, options: &Options) -> Option<String> {
    let max_executions = Some(options.max_executions.map_or(QUICK_EXECUTIONS, |asked| asked.min(QUICK_EXECUTIONS)));
    let options = Options {
        model: Model::Sc,
        properties: Properties { races: false, ..options.properties },
        max_executions,
        ..options.clone()
    };
    Model::Sc.admit(models::Engine::Explore, program).ok()?;
    let found = findings(program, &options).found.filter(|found| found.wrong == Wrong::Allowed)?;
    Some(found.violation.message)
}

/// Explores changed programs. Work is counted in executions.
struct Exploring<'a>(&'a Options);

impl Engine for Exploring<'_> {
    fn try_out(&mut self, changed: &Program, executions: u64) -> (Tried, u64) {
        if self.0.model.admit(models::Engine::Explore, changed).is_err() {
            return (Tried::Unknown, 0);
        }
        let max_executions = Some(self.0.max_executions.map_or(executions, |asked| asked.min(executions)));
        let options = Options { max_executions, ..self.0.clone() };
        let findings = findings(changed, &options);
        let found = findings.found.clone();
        let exploration = exploration(findings, Instant::now());
        let tried = match (exploration.verdict.outcome, found) {
            (Outcome::Holds, _) => Tried::Repaired,
            (Outcome::Violated, Some(found)) => {
                let span = found.violation.accesses.first().map_or_else(Default::default, |access| access.span);
                Tried::Violated(span, proposals(changed, options.model, &found.graph, found.wrong))
            }
            _ => Tried::Unknown,
        };
        (tried, exploration.complete + exploration.blocked)
    }
}
