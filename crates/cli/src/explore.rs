mod all_graphs;
mod comparison;
mod final_states;

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use all_graphs::GraphWriter;
use fencepost_budget::{Budget, Spent, memory};
use fencepost_explore::{Options, Watch};
use fencepost_frontend::Settings;
use fencepost_models::{Engine, Refusal};
use fencepost_program::Program;
use fencepost_report::{Comparison, Estimate, Executions};
use fencepost_story::{Outcome, Statistics, Verdict};
use final_states::FinalStates;

use crate::answers::{Answer, Answers, Unknown};
use crate::arguments::{ExploreArguments, Format};
use crate::limits::Session;
use crate::output::Output;
use crate::status::Status;
use crate::{input, progress};

pub fn run(arguments: &ExploreArguments, output: &mut Output) -> Status {
    let answers = Answers::new(&arguments.files, arguments.format, arguments.graph.as_ref(), output);
    if let Some(message) = contradiction(arguments).or_else(|| answers.contradiction()) {
        output.error(message);
        return Status::Trouble;
    }
    let session = Session::start(arguments.timeout, arguments.memory, output);
    answers.for_each(&session, output, |file, budget, answers, output| {
        let command = Exploring { arguments, watch: Arc::default(), budget, file };
        answers.if_late(command.unknown(answers));
        if arguments.models.is_empty() { command.explore(answers, output) } else { command.compare(answers, output) }
    })
}

fn contradiction(arguments: &ExploreArguments) -> Option<&'static str> {
    if arguments.models.len() == 1 {
        Some("--models compares models, so it takes at least two; --model takes one")
    } else if !arguments.models.is_empty() && arguments.format == Format::Sarif {
        Some("SARIF has no form for a comparison of models")
    } else if arguments.graphs.is_some() && arguments.files.len() > 1 {
        Some("--graphs goes with one input only")
    } else if arguments.graphs.as_ref().is_some_and(|g| g.path.is_none()) && arguments.format != Format::Text {
        Some("`--graphs all` prints text; give it a file, such as `--graphs all.json`")
    } else {
        None
    }
}

/// How long `--estimate` may take.
const ESTIMATION_TIME: Duration = Duration::from_secs(1);

/// One file that is being explored.
struct Exploring<'a> {
    arguments: &'a ExploreArguments,
    watch: Arc<Watch>,
    budget: &'a Budget,
    file: &'a Path,
}

impl Exploring<'_> {
    fn options(&self, model: fencepost_models::Model) -> Options {
        Options {
            properties: self.arguments.properties.iter().copied().collect(),
            jam21_by: self.arguments.jam21_by,
            unroll: self.arguments.unroll,
            leaks: self.arguments.leaks,
            fixes: Some(fencepost_fixes::USUAL_TIME),
            max_executions: self.arguments.max_executions,
            budget: self.budget.clone(),
            jobs: NonZeroUsize::new(self.arguments.jobs.into()).unwrap_or(NonZeroUsize::MIN),
            ..Options::new(model)
        }
    }

    /// Does some work and shows how far it is.
    fn watched<T>(&self, output: &Output, expected: Option<f64>, work: impl FnOnce() -> T) -> T {
        self.watch.complete.store(0, Ordering::Relaxed);
        self.watch.blocked.store(0, Ordering::Relaxed);
        let name = input::name(self.file);
        let line = |elapsed| format!("{name}: {}", progress::of_explore(&self.watch, expected, elapsed));
        progress::during(line, output.errors_are_seen(), work)
    }

    /// What is known while the exploration goes on.
    fn unknown(&self, answers: &Answers) -> Unknown {
        let (name, watch, style) = (input::name(self.file), Arc::clone(&self.watch), answers.style);
        let (model, properties) = (self.arguments.model.name(), self.arguments.properties.clone());
        let (comparing, started) = (!self.arguments.models.is_empty(), Instant::now());
        Arc::new(move |spent: Spent, log| {
            let (name, outcome) = (name.clone(), Outcome::Unknown(spent.into()));
            if comparing {
                return style.comparison(&Comparison::new(name, outcome));
            }
            let executions = Executions {
                complete: watch.complete.load(Ordering::Relaxed),
                blocked: watch.blocked.load(Ordering::Relaxed),
                ..Executions::default()
            };
            let (seconds, peak_bytes) = (started.elapsed().as_secs_f64(), memory::peak().unwrap_or(0));
            let statistics = Statistics { seconds, peak_bytes, ..Statistics::default() };
            let answer = Answer {
                command: "explore",
                name,
                program: Program::default(),
                model,
                observational: false,
                properties: properties.clone(),
                verdict: Verdict { outcome, violations: Vec::new(), statistics },
                executions: Some(executions),
            };
            style.report(&answer.report(), log)
        })
    }

    fn input(&self, answers: &mut Answers, output: &mut Output) -> Result<fencepost_frontend::Input, Status> {
        let ExploreArguments { compiler_arguments, nondet, stdout, no_reuse, failing_calls, argc, .. } = self.arguments;
        let settings = Settings {
            nondet: nondet.unwrap_or_default(),
            output: *stdout,
            strict: true,
            no_reuse: *no_reuse,
            failing: *failing_calls,
            argc: *argc,
            ..Settings::default()
        };
        input::program(self.file, compiler_arguments, settings, self.budget, output.coloured_errors)
            .map_err(|unread| unread.tell(self.file, answers, output))
    }

    /// Tells at once, on standard error, what the exploration is going to take.
    fn estimate(&self, program: &Program, output: &Output) -> Option<Estimate> {
        let found = fencepost_explore::estimate(program, &self.options(self.arguments.model), ESTIMATION_TIME);
        let Ok(Some(found)) = found else {
            output.complain(&format!("{}: there was no time for an estimate", input::name(self.file)));
            return None;
        };
        let estimate = Estimate {
            executions: found.executions,
            error: found.error,
            seconds: found.seconds / f64::from(self.arguments.jobs),
            descents: found.descents,
        };
        output.complain(&format!("{}: {}", input::name(self.file), estimate.text()));
        Some(estimate)
    }

    fn refused(&self, program: &Program, refusal: &Refusal, answers: &mut Answers, output: &mut Output) -> Status {
        output.refusal(program, refusal);
        answers.fail(format!("{}: {}", input::name(self.file), refusal.message))
    }

    fn explore(&self, answers: &mut Answers, output: &mut Output) -> Status {
        let (arguments, name) = (self.arguments, input::name(self.file));
        let input = match self.input(answers, output) {
            Ok(input) => input,
            Err(status) => return status,
        };
        let program = input.observing();
        // Before the file of graphs is overwritten.
        if let Err(refusal) = arguments.model.admit(Engine::Explore, &program) {
            return self.refused(&program, &refusal, answers, output);
        }
        let mut graphs = match arguments.graphs.as_ref().map(GraphWriter::create).transpose() {
            Ok(graphs) => graphs,
            Err(message) => {
                output.error(&message);
                return answers.fail(message);
            }
        };
        let estimate = arguments.estimate.then(|| self.estimate(&program, output)).flatten();
        let mut states = FinalStates::new(&input, &program, arguments.outcomes);
        let exploration = self.watched(output, estimate.map(|e| e.executions), || {
            let options = self.options(arguments.model);
            if graphs.is_none() && !states.are_wanted() {
                return fencepost_explore::count(&program, &options, &self.watch);
            }
            fencepost_explore::explore(&program, &options, &self.watch, |execution| {
                states.add(execution);
                if let Some(graphs) = &mut graphs {
                    graphs.add(&execution.run());
                }
            })
        });
        let exploration = match exploration {
            Ok(exploration) => exploration,
            Err(refusal) => return self.refused(&program, &refusal, answers, output),
        };
        let written = graphs.map_or(Ok(()), GraphWriter::finish);
        let mut verdict = exploration.verdict;
        verdict.statistics.peak_bytes = memory::peak().unwrap_or(0);
        states.decide(&mut verdict, exploration.bounded);
        let executions = Executions {
            complete: exploration.complete,
            blocked: exploration.blocked,
            events: exploration.events,
            bound: arguments.unroll.filter(|_| exploration.bounded),
            estimate,
            condition: states.condition(),
            outcomes: states.outcomes(),
        };
        let answer = Answer {
            command: "explore",
            name,
            model: arguments.model.name(),
            observational: false,
            properties: arguments.properties.clone(),
            verdict,
            executions: Some(executions),
            program,
        };
        let status = answers.show(&answer, output);
        match written {
            Ok(()) => status,
            Err(message) => {
                output.error(&message);
                Status::Trouble
            }
        }
    }
}
