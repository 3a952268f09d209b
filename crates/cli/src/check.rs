use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use fencepost_check::{Options, Properties, Watch};
use fencepost_frontend::Settings;
use fencepost_report::Property;

use crate::answers::{Answer, Answers};
use crate::arguments::{CheckArguments, SpinLoops};
use crate::interrupt::stop_on_interrupt;
use crate::output::Output;
use crate::status::Status;
use crate::{input, memory, progress};

pub fn run(arguments: &CheckArguments, output: &mut Output) -> Status {
    let answers = Answers::new(&arguments.files, arguments.format, arguments.graph.as_ref());
    if let Some(message) = contradiction(arguments).or_else(|| answers.contradiction()) {
        output.error(message);
        return Status::Trouble;
    }
    let watch = Arc::new(Watch::default());
    let interrupted = Arc::clone(&watch);
    stop_on_interrupt(move || interrupted.stop.swap(true, Ordering::Relaxed));
    let options = options(arguments);
    answers.for_each(
        output,
        || watch.stop.load(Ordering::Relaxed),
        |file, answers, output| check(file, arguments, &options, &watch, answers, output),
    )
}

fn contradiction(arguments: &CheckArguments) -> Option<&'static str> {
    let robustness = arguments.properties.contains(&Property::Robustness);
    (arguments.memory_model.observational && !robustness)
        .then_some("--observational is a form of robustness, which --properties leaves out")
}

fn options(arguments: &CheckArguments) -> Options {
    let asked = |property| arguments.properties.contains(&property);
    Options {
        model: arguments.memory_model.model,
        observational: arguments.memory_model.observational,
        spins_are_waits: arguments.spin_loops.map(|spin_loops| spin_loops == SpinLoops::Waits),
        properties: Properties {
            robustness: asked(Property::Robustness),
            races: asked(Property::Races),
            assertions: asked(Property::Assertions),
            deadlocks: asked(Property::Deadlocks),
        },
        max_states: arguments.max_states,
        max_bytes: arguments.memory.or_else(memory::default_limit),
        timeout: arguments.timeout,
        jobs: arguments.jobs.into(),
        ..Options::default()
    }
}

fn check(
    file: &Path,
    arguments: &CheckArguments,
    options: &Options,
    watch: &Watch,
    answers: &mut Answers,
    output: &mut Output,
) -> Status {
    let name = input::name(file);
    let settings = Settings {
        nondet: arguments.nondet.unwrap_or_default(),
        output: arguments.stdout,
        strict: false,
        no_reuse: arguments.no_reuse,
    };
    let program = match input::program_as(file, &arguments.compiler_arguments, settings, output.coloured_errors) {
        Ok(input) => input.program,
        Err(message) => {
            output.complain(&message);
            return answers.fail(format!("{name} could not be read"));
        }
    };
    for counter in [&watch.states, &watch.depth, &watch.bytes] {
        counter.store(0, Ordering::Relaxed);
    }
    let search = || fencepost_check::check(&program, options, watch);
    let line = |elapsed| format!("{name}: {}", progress::of_check(watch, elapsed));
    let verdict = match progress::during(line, output.errors_are_seen(), search) {
        Ok(verdict) => verdict,
        Err(refusal) => {
            output.refusal(&program, &refusal);
            return answers.fail(format!("{name}: {}", refusal.message));
        }
    };
    let answer = Answer {
        command: "check",
        name,
        program,
        model: options.model.name(),
        observational: options.observational,
        properties: arguments.properties.clone(),
        verdict,
        executions: None,
    };
    answers.show(&answer, output)
}
