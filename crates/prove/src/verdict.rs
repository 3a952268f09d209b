//! The answer to a program and its condition, with all names spelled out.

use fencepost_budget::Budget;
use fencepost_models::Refusal;
use fencepost_program::Program;
use fencepost_program::question::{Condition, Proposition};
use fencepost_story::{
    CutOff, Outcome, ProofAlarm, ProofAnswer, ProofRead, ProofResult, ProofVerdict, ReadFrom, Reason,
};

use crate::confirm::decide;
use crate::proof::{Alarm, Answer, Check, Options, Proof, ReadSource, prove_cells, source_text};
use crate::unfold::cells_within;

/// Proves what it can of a program: its assertions, and of its final states that pass the filter, the condition. Alarms
/// are decided if the options say so.
pub fn verdict(
    program: &Program,
    condition: Option<&Condition>,
    filter: Option<&Proposition>,
    options: &Options,
) -> Result<ProofVerdict, Refusal> {
    let mut program = program.clone();
    options.pthread_fences.apply(&mut program);
    let cells = cells_within(&program, &options.budget)?;
    let never = condition.map(|condition| condition.excluded(filter));
    let proof = prove_cells(&cells, never.as_ref(), options)?;
    let shown = |answer: &Answer| shown(&cells.program, condition, answer);
    let mut assertions: Vec<ProofAnswer> = proof.answers.iter().map(shown).collect();
    if let Some(confirm) = options.confirm {
        for (answer, shown) in proof.answers.iter().zip(&mut assertions) {
            if let Some(alarm) = &mut shown.alarm
                && !options.budget.is_spent()
            {
                alarm.decision = Some(decide(&program, &cells, never.as_ref(), answer, options, confirm));
            }
        }
    }
    let sound = options.method.is_sound(options.model);
    Ok(ProofVerdict {
        outcome: outcome(&assertions, cut_off(&cells.program, &proof), sound, &options.budget),
        warning: (!sound)
            .then_some("watts assumes sequentially consistent memory: its proofs may be wrong under this model"),
        assertions,
        cases: proof.cases,
        explanation: proof.explanation.unwrap_or_default(),
    })
}

/// Why no execution completes, if none does.
fn cut_off(program: &Program, proof: &Proof) -> Option<Reason> {
    let spans = proof.cut_off.as_ref()?;
    let mut cut_off = CutOff::default();
    spans.iter().for_each(|&span| cut_off.by_assumption(program.place(span).unwrap_or_default()));
    Some(cut_off.reason())
}

fn outcome(assertions: &[ProofAnswer], cut_off: Option<Reason>, sound: bool, budget: &Budget) -> Outcome {
    let is = |wanted| assertions.iter().any(|a| a.result() == wanted);
    // Perhaps there was no time to find them.
    let spent = budget.spent().filter(|_| assertions.is_empty() || is(ProofResult::Alarm));
    if is(ProofResult::Real) {
        Outcome::Violated
    } else if let Some(spent) = spent {
        Outcome::Unknown(spent.into())
    } else if is(ProofResult::Alarm) {
        Outcome::Unknown(Reason::Other("an alarm is not confirmed".into()))
    } else if !sound {
        Outcome::Unknown(Reason::Other("the method is unsound for this model".into()))
    } else {
        cut_off.map_or(Outcome::Holds, Outcome::Unknown)
    }
}

/// An answer with all its names.
fn shown(program: &Program, condition: Option<&Condition>, answer: &Answer) -> ProofAnswer {
    let source = source_text(program, answer.span);
    let text = match answer.check {
        Check::Assertion => source,
        Check::OutOfBounds => format!("the index of `{source}` is in bounds"),
        Check::DivisionByZero => format!("the divisor of `{source}` is not 0"),
        Check::DivisionOverflow => format!("`{source}` does not divide the smallest integer by -1"),
        Check::Condition => condition.map_or(String::new(), |condition| condition.text.clone()),
    };
    let kind = answer.check.name();
    let alarm = answer.alarm.as_ref().map(|alarm| shown_alarm(program, alarm));
    ProofAnswer { kind, span: answer.span, text, reached: answer.reached, cases: answer.cases, alarm }
}

fn shown_alarm(program: &Program, alarm: &Alarm) -> ProofAlarm {
    let thread = |t: usize| program.threads[t].name.clone();
    let reads = alarm.combination.iter().map(|read| ProofRead {
        thread: read.thread.map(thread),
        span: read.span,
        location: read.cell.map(|cell| program.cell_name(cell)),
        source: match read.from {
            ReadSource::NotExecuted => ReadFrom::NotExecuted,
            ReadSource::InitialValue => ReadFrom::InitialValue,
            ReadSource::Store { thread: t, span } => ReadFrom::Store { thread: thread(t), span },
        },
        value: read.value.map(|value| (value.lo, value.hi)),
    });
    ProofAlarm {
        thread: alarm.thread.map(thread),
        values: alarm.values.iter().map(|(name, value)| (name.clone(), value.lo, value.hi)).collect(),
        reads: reads.collect(),
        limit: alarm.limit,
        decision: None,
    }
}
