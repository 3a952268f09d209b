//! Everything that can be done with an input, with tiny limits.

use std::path::Path;
use std::time::Duration;

use fencepost_budget::{Budget, Limits};
use fencepost_frontend::{
    Error, Input, Nondet, Settings, format_fp, parse_compiled, parse_fp, parse_ir, parse_litmus, read_within,
};
use fencepost_models::Model;
use fencepost_program::Program;
use fencepost_report::Report;
use fencepost_story::Property;

use crate::Format;

/// Ways to use an engine.
const ENGINES: u64 = 8;

const MOST_THREADS_TO_PROVE: usize = 4;

/// What a reader may take, and one of the engines.
const READING: Limits = Limits { timeout: Some(Duration::from_secs(1)), bytes: Some(1 << 30) };
/// Clang itself does not end on some inputs.
const COMPILING: Limits = Limits { timeout: Some(Duration::from_secs(20)), bytes: Some(1 << 30) };
const LIMITS: Limits = Limits { timeout: Some(Duration::from_millis(30)), bytes: Some(1 << 30) };

/// Reads an input, and hands it to all engines if it is a program. Says whether it is one.
pub fn run_all(format: Format, text: &str) -> bool {
    (0..ENGINES).fold(false, |_, engine| run(format, text, engine))
}

/// Reads an input, and hands it to one of the engines if it is a program. Says whether it is one.
pub fn run(format: Format, text: &str, engine: u64) -> bool {
    let name = format!("fuzz.{}", format.extension());
    if format == Format::Fp
        && let Ok(once) = format_fp(&name, text)
    {
        assert_eq!(format_fp(&name, &once).as_ref(), Ok(&once), "formatting twice is formatting once");
    }
    use_input(read(format, &name, text), engine)
}

/// The same with LLVM IR that clang has made of a file.
pub fn run_compiled(path: &Path, ir: &str, engine: u64) -> bool {
    use_input(parse_compiled(path, ir, settings(), &Budget::new(READING)), engine)
}

fn use_input(read: Result<Input, Error>, engine: u64) -> bool {
    let input = match read {
        Ok(input) => input,
        Err(error) => {
            assert!(!error.diagnostics.is_empty());
            let shown = error.render(false);
            assert!(shown.starts_with("error: "), "{shown}");
            return false;
        }
    };
    let budget = Budget::new(LIMITS);
    match engine % ENGINES {
        0 => check(&input.program, Model::Rc11, false, &budget),
        1 => check(&input.program, Model::Rc20, true, &budget),
        2 => explore(&input, Model::Rc11, &budget),
        3 => explore(&input, Model::Tso, &budget),
        4 => explore(&input, Model::Jam21, &budget),
        5 => prove(&input.observing(), Model::Tso, &budget),
        6 => prove(&input.observing(), Model::Rmo, &budget),
        _ => export(&input.program, &budget),
    }
    true
}

fn settings() -> Settings {
    Settings { nondet: Nondet::Within(0, 2), ..Settings::default() }
}

fn read(format: Format, name: &str, text: &str) -> Result<Input, Error> {
    let budget = Budget::new(READING);
    match format {
        Format::Fp => parse_fp(name, text),
        Format::Litmus => parse_litmus(name, text),
        Format::Ll => parse_ir(name, text, settings(), &budget),
        Format::C => {
            let directory = fencepost_scratch::Directory::new().expect("a directory");
            let path = directory.write(name, text).expect("written");
            read_within(path, &[], settings(), &Budget::new(COMPILING))
        }
    }
}

fn check(program: &Program, model: Model, observational: bool, budget: &Budget) {
    use fencepost_check::{Options, Watch};
    let options = Options {
        model,
        observational,
        max_states: Some(100),
        budget: budget.clone(),
        closure: 500,
        ..Options::default()
    };
    if let Ok(verdict) = fencepost_check::check(program, &options, &Watch::default()) {
        show("check", program, &verdict);
    }
}

fn explore(input: &Input, model: Model, budget: &Budget) {
    use fencepost_explore::{Options, Watch};
    let program = input.observing();
    let options = Options {
        max_executions: Some(10),
        budget: budget.clone(),
        unroll: Some(3),
        leaks: true,
        ..Options::new(model)
    };
    let exploration = fencepost_explore::explore(&program, &options, &Watch::default(), |execution| {
        let _ = execution.graph();
    });
    if let Ok(exploration) = exploration {
        show("explore", &program, &exploration.verdict);
    }
}

fn export(program: &Program, budget: &Budget) {
    let _ = fencepost_promela::promela(program, Model::Rc20, false, budget);
}

fn prove(program: &Program, model: Model, budget: &Budget) {
    use fencepost_prove::Options;
    // With many threads, its first analysis alone takes minutes.
    if program.threads.len() > MOST_THREADS_TO_PROVE {
        return;
    }
    let Ok(cells) = fencepost_prove::cells_within(program, budget) else { return };
    let options = Options { budget: budget.clone(), max_cases: 5, ..Options::new(model) };
    let _ = fencepost_prove::prove(&cells.program, None, &options);
}

/// A report has to be told too.
fn show(command: &str, program: &Program, verdict: &fencepost_story::Verdict) {
    let report = Report {
        command,
        file: "fuzz",
        model: "fuzz",
        observational: false,
        properties: &Property::ALL,
        sources: &program.sources,
        verdict,
        executions: None,
        example: None,
        assumptions: &[],
    };
    let _ = fencepost_report::text(&report, true);
    let _ = fencepost_report::json(&report);
    fencepost_report::SarifLog::default().add(&report);
}
