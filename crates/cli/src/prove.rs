mod confirm;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use fencepost_budget::{Budget, Spent, memory};
use fencepost_frontend::Input;
use fencepost_program::{Program, Span};
use fencepost_prove::{Alarm, Answer, Check, Options, Proof, ReadSource, Watch};
use fencepost_report::{ProofAlarm, ProofAnswer, ProofDecision, ProofRead, ProofReport, ReadFrom};
use fencepost_story::{CutOff, Outcome, Reason};

use crate::answers::{Answers, Unknown};
use crate::arguments::ProveArguments;
use crate::limits::Session;
use crate::output::Output;
use crate::status::Status;
use crate::{input, progress};

pub fn run(arguments: &ProveArguments, output: &mut Output) -> Status {
    let answers = Answers::new(&arguments.files, arguments.format, None, output);
    if let Some(message) = answers.contradiction() {
        output.error(message);
        return Status::Trouble;
    }
    let session = Session::start(arguments.timeout, arguments.memory, output);
    answers.for_each(&session, output, |file, budget, answers, output| prove(arguments, file, budget, answers, output))
}

fn prove(
    arguments: &ProveArguments,
    file: &Path,
    budget: &Budget,
    answers: &mut Answers,
    output: &mut Output,
) -> Status {
    let name = input::name(file);
    let watch = Arc::new(Watch::default());
    answers.if_late(unknown(&name, arguments, Arc::clone(&watch), answers));
    let started = Instant::now();
    let input = match input::program_to_prove(file, arguments, budget, output.coloured_errors) {
        Ok(input) => input,
        Err(unread) => return unread.tell(file, answers, output),
    };
    let mut source = input.observing();
    arguments.pthread_fences.apply(&mut source);
    let cells = match (fencepost_prove::cells_within(&source, budget), budget.spent()) {
        (Ok(cells), _) => cells,
        (Err(_), Some(spent)) => return answers.unknown(spent, output),
        (Err(refusal), None) => {
            output.refusal(&source, &refusal);
            return answers.fail(format!("{name}: {}", refusal.message));
        }
    };
    let program = &*cells.program;
    let never = input.condition.as_ref().map(|condition| condition.excluded(input.filter.as_ref()));
    let options = Options {
        method: arguments.method,
        domain: arguments.domain,
        max_cases: arguments.max_cases,
        explain: arguments.explain,
        budget: budget.clone(),
        watch: Arc::clone(&watch),
        ..Options::new(arguments.model)
    };
    let line = |elapsed| format!("{name}: {}", progress::of_prove(&watch, elapsed));
    let work = || fencepost_prove::prove_cells(&cells, never.as_ref(), &options);
    let proof = match progress::during(line, output.errors_are_seen(), work) {
        Ok(proof) => proof,
        Err(refusal) => {
            output.refusal(program, &refusal);
            return answers.fail(format!("{name}: {}", refusal.message));
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    if let Some(n) = arguments.explain.filter(|n| !(1..=proof.answers.len()).contains(n)) {
        output.error(&format!("--explain {n}: {name} has {} assertions", proof.answers.len()));
        return answers.fail(format!("{name} has no assertion {n}"));
    }
    let mut assertions: Vec<ProofAnswer> = proof.answers.iter().map(|a| shown(program, &input, a)).collect();
    if arguments.confirm {
        for (answer, shown) in proof.answers.iter().zip(&mut assertions) {
            if let Some(alarm) = &mut shown.alarm
                && !budget.is_spent()
            {
                alarm.decision = Some(confirm::decide(&source, &cells, never.as_ref(), answer, arguments, budget));
            }
        }
    }
    let sound = arguments.method.is_sound(arguments.model);
    let report = ProofReport {
        file: &name,
        model: arguments.model.name(),
        method: arguments.method.name(),
        domain: arguments.domain.name(),
        outcome: outcome(&assertions, cut_off(program, &proof), sound, budget),
        warning: (!sound)
            .then_some("watts assumes sequentially consistent memory: its proofs may be wrong under this model"),
        assertions,
        assumptions: &source.assumptions,
        sources: &program.sources,
        cases: proof.cases,
        seconds,
        peak_bytes: memory::peak().unwrap_or(0),
    };
    let explanation: String = proof.explanation.iter().flatten().map(|line| format!("{line}\n")).collect();
    answers.show_proof(&report, &explanation, output)
}

/// What is known while the proof goes on.
fn unknown(name: &str, arguments: &ProveArguments, watch: Arc<Watch>, answers: &Answers) -> Unknown {
    let (name, style, started) = (name.to_owned(), answers.style, Instant::now());
    let ProveArguments { model, method, domain, .. } = *arguments;
    Arc::new(move |spent: Spent, log| {
        let report = ProofReport {
            file: &name,
            model: model.name(),
            method: method.name(),
            domain: domain.name(),
            outcome: Outcome::Unknown(spent.into()),
            warning: None,
            assertions: Vec::new(),
            assumptions: &[],
            sources: &[],
            cases: watch.cases.load(Ordering::Relaxed),
            seconds: started.elapsed().as_secs_f64(),
            peak_bytes: memory::peak().unwrap_or(0),
        };
        style.proof(&report, "", log)
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
    let is = |wanted: &str| assertions.iter().any(|a| a.result() == wanted);
    // Perhaps there was no time to find them.
    let spent = budget.spent().filter(|_| assertions.is_empty() || is("alarm"));
    if is("real") {
        Outcome::Violated
    } else if let Some(spent) = spent {
        Outcome::Unknown(spent.into())
    } else if is("alarm") {
        Outcome::Unknown(Reason::Other("an alarm is not confirmed".into()))
    } else if !sound {
        Outcome::Unknown(Reason::Other("the method is unsound for this model".into()))
    } else {
        cut_off.map_or(Outcome::Holds, Outcome::Unknown)
    }
}

/// The answer with all its names.
fn shown(program: &Program, input: &Input, answer: &Answer) -> ProofAnswer {
    let source = source_text(program, answer.span);
    let text = match answer.check {
        Check::Assertion => source,
        Check::OutOfBounds => format!("the index of `{source}` is in bounds"),
        Check::DivisionByZero => format!("the divisor of `{source}` is not 0"),
        Check::DivisionOverflow => format!("`{source}` does not divide the smallest integer by -1"),
        Check::Condition => input.condition.as_ref().map_or(String::new(), |c| c.text.clone()),
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
        decision: None::<ProofDecision>,
    }
}

/// The stretch of source that a span is, without its semicolon.
fn source_text(program: &Program, span: Span) -> String {
    fencepost_prove::source_text(program, span)
}
