use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use fencepost_budget::{Budget, Spent, memory};
use fencepost_check::{Options, Watch};
use fencepost_program::Program;
use fencepost_story::{Outcome, Property, Statistics, Verdict};

use crate::answers::{Answer, Answers};
use crate::arguments::{CheckArguments, ModelArguments, SpinLoops};
use crate::limits::Session;
use crate::output::Output;
use crate::status::Status;
use crate::subjects::{Subject, subjects};
use crate::{input, progress};

pub fn run(arguments: &CheckArguments, output: &mut Output) -> Status {
    let report = &arguments.report;
    let subjects = match subjects(&arguments.input, output) {
        Ok(subjects) => subjects,
        Err(message) => {
            output.error(&message);
            return Status::Trouble;
        }
    };
    let answers = Answers::new(&subjects, report.format, report.graph.as_ref(), output);
    if let Some(message) = contradiction(arguments).or_else(|| answers.contradiction()) {
        output.error(message);
        return Status::Trouble;
    }
    let session = Session::start(arguments.timeout, arguments.memory, output);
    answers.for_each(&session, output, |subject, budget, answers, output| {
        check(subject, arguments, budget, answers, output)
    })
}

fn contradiction(arguments: &CheckArguments) -> Option<&'static str> {
    let robustness = arguments.properties.contains(&Property::Robustness);
    (arguments.memory_model.observational && !robustness)
        .then_some("--observational is a form of robustness, which --properties leaves out")
}

fn options(arguments: &CheckArguments, budget: &Budget) -> Options {
    Options {
        model: arguments.memory_model.model,
        observational: arguments.memory_model.observational,
        spins_are_waits: arguments.spin_loops.map(|spin_loops| spin_loops == SpinLoops::Waits),
        properties: arguments.properties.iter().copied().collect(),
        fixes: Some(fencepost_fixes::USUAL_TIME),
        max_states: arguments.max_states,
        budget: budget.clone(),
        jobs: arguments.jobs.into(),
        ..Options::default()
    }
}

fn check(
    subject: &Subject,
    arguments: &CheckArguments,
    budget: &Budget,
    answers: &mut Answers,
    output: &mut Output,
) -> Status {
    let name = subject.name.clone();
    let options = options(arguments, budget);
    let watch = Arc::new(Watch::default());
    let unknown = unknown(&name, arguments, Arc::clone(&watch));
    let style = answers.style;
    answers.if_late(Arc::new(move |spent, log| style.report(&unknown(spent).report(), log)));
    let settings = arguments.c.settings(false, &arguments.properties);
    let program = match input::program(subject, settings, budget, output.coloured_errors) {
        Ok(input) => input.program,
        Err(unread) => return unread.tell(subject, answers, output),
    };
    let search = || fencepost_check::check(&program, &options, &watch);
    let line = |elapsed| format!("{name}: {}", progress::of_check(&watch, memory::resident(), elapsed));
    let mut verdict = match progress::during(line, search) {
        Ok(verdict) => verdict,
        Err(refusal) => {
            output.refusal(&program, &refusal);
            return answers.fail(format!("{name}: {}", refusal.message));
        }
    };
    verdict.statistics.peak_bytes = memory::peak().unwrap_or(verdict.statistics.peak_bytes);
    let answer = Answer {
        command: "check",
        name,
        program,
        model: options.model.name(),
        observational: options.observational,
        properties: arguments.properties.clone(),
        verdict,
        executions: None,
        example: None,
    };
    answers.show(&answer, output)
}

/// What is known while the search goes on.
fn unknown(name: &str, arguments: &CheckArguments, watch: Arc<Watch>) -> impl Fn(Spent) -> Answer + use<> {
    let started = Instant::now();
    let (name, properties) = (name.to_owned(), arguments.properties.clone());
    let ModelArguments { model, observational } = arguments.memory_model;
    move |spent| Answer {
        command: "check",
        name: name.clone(),
        program: Program::default(),
        model: model.name(),
        observational,
        properties: properties.clone(),
        verdict: Verdict {
            outcome: Outcome::Unknown(spent.into()),
            violations: Vec::new(),
            statistics: Statistics {
                states: Some(watch.states.load(Ordering::Relaxed)),
                transitions: None,
                depth: Some(watch.depth.load(Ordering::Relaxed) as u32),
                seconds: started.elapsed().as_secs_f64(),
                peak_bytes: memory::peak().unwrap_or(0),
            },
        },
        executions: None,
        example: None,
    }
}
