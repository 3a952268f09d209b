use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use fencepost_budget::{Budget, Spent, memory};
use fencepost_explore::{Options, Question, Shown, Watch};
use fencepost_frontend::Input;
use fencepost_models::{Engine, Model, Refusal};
use fencepost_program::Program;
use fencepost_program::question::{Condition, Quantifier};
use fencepost_report::{ComparisonReport, GraphWriter};
use fencepost_story::{Comparison, Estimate, Executions, Outcome, Statistics, Verdict, satisfied_condition};

use crate::answers::{Answer, Answers, Unknown};
use crate::arguments::{AllGraphs, ExploreArguments, Format};
use crate::limits::Session;
use crate::output::Output;
use crate::status::Status;
use crate::subjects::{Subject, subjects};
use crate::witness::{self, Content};
use crate::{input, progress};

pub fn run(arguments: &ExploreArguments, output: &mut Output) -> Status {
    let report = &arguments.report;
    let subjects = match subjects(&arguments.input, output) {
        Ok(subjects) => subjects,
        Err(message) => {
            output.error(&message);
            return Status::Trouble;
        }
    };
    let answers = Answers::new(&subjects, report.format, report.graph.as_ref(), output);
    if let Some(message) = contradiction(arguments, subjects.len())
        .or_else(|| arguments.witness.as_ref().and_then(|_| witness::unfit(&subjects)))
        .or_else(|| answers.contradiction())
    {
        output.error(message);
        return Status::Trouble;
    }
    let session = Session::start(arguments.timeout, arguments.memory, output);
    answers.for_each(&session, output, |subject, budget, answers, output| {
        let command = Exploring { arguments, watch: Arc::default(), budget, subject };
        answers.if_late(command.unknown(answers));
        if arguments.models.is_empty() { command.explore(answers, output) } else { command.compare(answers, output) }
    })
}

fn contradiction(arguments: &ExploreArguments, subjects: usize) -> Option<&'static str> {
    if arguments.models.len() == 1 {
        Some("--models compares models, so it takes at least two; --model takes one")
    } else if !arguments.models.is_empty() && arguments.report.format == Format::Sarif {
        Some("SARIF has no form for a comparison of models")
    } else if arguments.graphs.is_some() && subjects > 1 {
        Some("--graphs goes with one input only")
    } else if arguments.graphs.as_ref().is_some_and(|g| g.path.is_none()) && arguments.report.format != Format::Text {
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
    subject: &'a Subject,
}

impl Exploring<'_> {
    fn options(&self, model: Model) -> Options {
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
    fn watched<T>(&self, expected: Option<f64>, work: impl FnOnce() -> T) -> T {
        self.watch.complete.store(0, Ordering::Relaxed);
        self.watch.blocked.store(0, Ordering::Relaxed);
        let name = &self.subject.name;
        let line = |elapsed| format!("{name}: {}", progress::of_explore(&self.watch, expected, elapsed));
        progress::during(line, work)
    }

    /// What is known while the exploration goes on.
    fn unknown(&self, answers: &Answers) -> Unknown {
        let (name, watch, style) = (self.subject.name.clone(), Arc::clone(&self.watch), answers.style);
        // The program may not have been read yet.
        let model = self.arguments.model_for(&Program::default()).name();
        let properties = self.arguments.properties.clone();
        let (comparing, started) = (!self.arguments.models.is_empty(), Instant::now());
        Arc::new(move |spent: Spent, log| {
            let (name, outcome) = (name.clone(), Outcome::Unknown(spent.into()));
            if comparing {
                let comparison = &Comparison::new(outcome);
                return style.comparison(&ComparisonReport { file: &name, assumptions: &[], sources: &[], comparison });
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
                example: None,
            };
            style.report(&answer.report(), log)
        })
    }

    fn input(&self, answers: &mut Answers, output: &mut Output) -> Result<Input, Status> {
        let settings = self.arguments.c.settings(true, &self.arguments.properties);
        input::program(self.subject, settings, self.budget, output.coloured_errors)
            .map_err(|unread| unread.tell(self.subject, answers, output))
    }

    /// Tells at once, on standard error, what the exploration is going to take.
    fn estimate(&self, program: &Program, output: &Output) -> Option<Estimate> {
        let found =
            fencepost_explore::estimate(program, &self.options(self.arguments.model_for(program)), ESTIMATION_TIME);
        let Ok(Some(estimate)) = found else {
            output.complain(&format!("{}: there was no time for an estimate", self.subject.name));
            return None;
        };
        output.complain(&format!("{}: {}", self.subject.name, estimate.text()));
        Some(estimate)
    }

    fn refused(&self, program: &Program, refusal: &Refusal, answers: &mut Answers, output: &mut Output) -> Status {
        output.refusal(program, refusal);
        answers.fail(format!("{}: {}", self.subject.name, refusal.message))
    }

    fn explore(&self, answers: &mut Answers, output: &mut Output) -> Status {
        let (arguments, name) = (self.arguments, self.subject.name.clone());
        let input = match self.input(answers, output) {
            Ok(input) => input,
            Err(status) => return status,
        };
        let program = input.observing();
        let model = arguments.model_for(&program);
        // Before the file of graphs is overwritten.
        if let Err(refusal) = model.admit(Engine::Explore, &program) {
            return self.refused(&program, &refusal, answers, output);
        }
        let title = format!("{name} under {}", model.name());
        let mut graphs = match arguments.graphs.as_ref().map(|wanted| graph_writer(wanted, &title)).transpose() {
            Ok(graphs) => graphs,
            Err(message) => {
                output.error(&message);
                return answers.fail(message);
            }
        };
        let estimate = arguments.estimate.then(|| self.estimate(&program, output)).flatten();
        let question = Question {
            condition: input.condition.as_ref(),
            filter: input.filter.as_ref(),
            observed: &input.observed,
            outcomes: arguments.outcomes,
        };
        let mut example = None;
        let answer = self.watched(estimate.map(|e| e.executions), || {
            let wanted = self.example(&input);
            let is_asked = graphs.is_some() || wanted.is_some();
            let mut show = |execution: &Shown| {
                if let Some(graphs) = &mut graphs {
                    graphs.add(&execution.run());
                }
                if let Some(condition) = wanted.filter(|_| example.is_none())
                    && satisfies(&input, condition, execution)
                {
                    example = Some(satisfied_condition(&condition.text, &execution.run()));
                }
            };
            let show = is_asked.then_some(&mut show as &mut (dyn FnMut(&Shown) + Send));
            let options = self.options(model);
            fencepost_explore::explore_final_states(&program, &options, &question, &self.watch, show)
        });
        let (mut verdict, executions) = match answer {
            Ok(answer) => answer,
            Err(refusal) => return self.refused(&program, &refusal, answers, output),
        };
        let written = graphs.map_or(Ok(()), GraphWriter::finish);
        verdict.statistics.peak_bytes = memory::peak().unwrap_or(0);
        let answer = Answer {
            command: "explore",
            name,
            model: model.name(),
            observational: false,
            properties: arguments.properties.clone(),
            verdict,
            executions: Some(Executions { estimate, ..executions }),
            example,
            program,
        };
        let status = answers.show(&answer, output);
        let told = arguments.witness.as_ref().map(|file| {
            let bounded = arguments.unroll.is_some() || arguments.c.nondet.is_some() || arguments.c.argc.is_some();
            let content = Content::of_verdict(&answer.verdict, &arguments.properties, bounded);
            witness::write(file, self.subject, &answer.program.sources, content, output)
        });
        let status = status.max(told.unwrap_or(Status::Holds));
        match written {
            // A reader that went away is not a mistake.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                let to = arguments.graphs.as_ref().map_or(String::new(), name_of);
                output.error(&format!("cannot write {to}: {error}"));
                Status::Trouble
            }
            _ => status,
        }
    }

    /// The condition of which a drawing shows an execution that satisfies it.
    fn example<'i>(&self, input: &'i Input) -> Option<&'i Condition> {
        let is_exists = |condition: &&Condition| condition.quantifier == Quantifier::Exists;
        input.condition.as_ref().filter(is_exists).filter(|_| self.arguments.report.graph.is_some())
    }

    fn compare(&self, answers: &mut Answers, output: &mut Output) -> Status {
        let program = match self.input(answers, output) {
            Ok(input) => input.program,
            Err(status) => return status,
        };
        let options = self.options(self.arguments.model_for(&program));
        let compare = || fencepost_explore::compare(&program, &self.arguments.models, &options, &self.watch);
        match self.watched(None, compare) {
            Ok(comparison) => {
                let (file, assumptions, sources) = (&self.subject.name, &program.assumptions, &program.sources);
                let report = ComparisonReport { file, assumptions, sources, comparison: &comparison };
                answers.show_comparison(&report, output)
            }
            Err(refusal) => self.refused(&program, &refusal, answers, output),
        }
    }
}

fn satisfies(input: &Input, condition: &Condition, execution: &Shown) -> bool {
    let value = |observable| execution.observable(observable);
    let passes = input.filter.as_ref().is_none_or(|filter| filter.holds(&value));
    passes && condition.proposition.holds(&value)
}

/// The error is a message for people.
fn graph_writer(wanted: &AllGraphs, title: &str) -> Result<GraphWriter<Box<dyn Write + Send>>, String> {
    let out: Box<dyn Write + Send> = match &wanted.path {
        Some(path) => {
            let file = File::create(path).map_err(|e| format!("cannot write {}: {e}", name_of(wanted)))?;
            Box::new(BufWriter::new(file))
        }
        None => Box::new(io::stdout()),
    };
    Ok(GraphWriter::new(wanted.format, title, out))
}

fn name_of(wanted: &AllGraphs) -> String {
    wanted.path.as_ref().map_or("to standard output".to_owned(), |path| path.display().to_string())
}
