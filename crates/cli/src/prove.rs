use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use fencepost_budget::{Budget, Spent, memory};
use fencepost_program::Program;
use fencepost_prove::{Confirm, Options, Watch};
use fencepost_report::ProofReport;
use fencepost_story::{Outcome, ProofVerdict};

use crate::answers::{Answers, Unknown};
use crate::arguments::ProveArguments;
use crate::limits::Session;
use crate::output::Output;
use crate::status::Status;
use crate::subjects::{Subject, subjects};
use crate::witness::{self, Content};
use crate::{input, progress};

pub fn run(arguments: &ProveArguments, output: &mut Output) -> Status {
    let subjects = match subjects(&arguments.input, output) {
        Ok(subjects) => subjects,
        Err(message) => {
            output.error(&message);
            return Status::Trouble;
        }
    };
    let answers = Answers::new(&subjects, arguments.format, None, output);
    let unfit = arguments.witness.as_ref().and_then(|_| witness::unfit(&subjects));
    if let Some(message) = answers.contradiction().or(unfit) {
        output.error(message);
        return Status::Trouble;
    }
    let session = Session::start(arguments.timeout, arguments.memory, output);
    answers.for_each(&session, output, |subject, budget, answers, output| {
        prove(arguments, subject, budget, answers, output)
    })
}

fn prove(
    arguments: &ProveArguments,
    subject: &Subject,
    budget: &Budget,
    answers: &mut Answers,
    output: &mut Output,
) -> Status {
    let name = subject.name.clone();
    let options = options(arguments, budget);
    let watch = &options.watch;
    answers.if_late(unknown(&name, arguments, Arc::clone(watch), answers));
    let started = Instant::now();
    let input = match input::program_to_prove(subject, arguments, budget, output.coloured_errors) {
        Ok(input) => input,
        Err(unread) => return unread.tell(subject, answers, output),
    };
    let program = input.observing();
    let line = |elapsed| format!("{name}: {}", progress::of_prove(watch, elapsed));
    let work = || fencepost_prove::verdict(&program, input.condition.as_ref(), input.filter.as_ref(), &options);
    let verdict = match (progress::during(line, work), budget.spent()) {
        (Ok(verdict), _) => verdict,
        // Perhaps there was no time to find out that the program is not refused.
        (Err(_), Some(spent)) => return answers.unknown(spent, output),
        (Err(refusal), None) => {
            output.refusal(&program, &refusal);
            return answers.fail(format!("{name}: {}", refusal.message));
        }
    };
    if let Some(n) = arguments.explain.filter(|n| !(1..=verdict.assertions.len()).contains(n)) {
        output.error(&format!("--explain {n}: {name} has {} assertions", verdict.assertions.len()));
        return answers.fail(format!("{name} has no assertion {n}"));
    }
    let status = answers.show_proof(&report(&name, arguments, &verdict, Some(&program), started), output);
    let told = arguments.witness.as_ref().map(|to| {
        witness::write(to, subject, &program.sources, Content::of_proof(&verdict, arguments.argc.is_some()), output)
    });
    status.max(told.unwrap_or(Status::Holds))
}

fn options(arguments: &ProveArguments, budget: &Budget) -> Options {
    let time_per_alarm = arguments.timeout.is_none().then_some(Confirm::TIME_PER_ALARM);
    Options {
        method: arguments.method,
        domain: arguments.domain,
        pthread_fences: arguments.pthread_fences,
        max_cases: arguments.max_cases,
        confirm: arguments.confirm.then_some(Confirm { time_per_alarm }),
        explain: arguments.explain,
        budget: budget.clone(),
        ..Options::new(arguments.model)
    }
}

fn report<'a>(
    name: &'a str,
    arguments: &ProveArguments,
    verdict: &'a ProofVerdict,
    program: Option<&'a Program>,
    started: Instant,
) -> ProofReport<'a> {
    ProofReport {
        file: name,
        model: arguments.model.name(),
        method: arguments.method.name(),
        domain: arguments.domain.name(),
        verdict,
        assumptions: program.map_or(&[], |program| &program.assumptions),
        sources: program.map_or(&[], |program| &program.sources),
        seconds: started.elapsed().as_secs_f64(),
        peak_bytes: memory::peak().unwrap_or(0),
    }
}

/// What is known while the proof goes on.
fn unknown(name: &str, arguments: &ProveArguments, watch: Arc<Watch>, answers: &Answers) -> Unknown {
    let (name, style, started, arguments) = (name.to_owned(), answers.style, Instant::now(), arguments.clone());
    Arc::new(move |spent: Spent, log| {
        let verdict = ProofVerdict::unknown(Outcome::Unknown(spent.into()), watch.cases.load(Ordering::Relaxed));
        style.proof(&report(&name, &arguments, &verdict, None, started), log)
    })
}
