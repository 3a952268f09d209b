//! Deadlocks: those of the definition, by brute force; the same whether a thread waits or spins; and those that `check`
//! finds.

use fencepost_check::Properties;
use fencepost_explore::{Options, count};
use fencepost_frontend::parse_fp;
use fencepost_models::{Engine, Model};
use fencepost_oracle::random::{Profile, Sketch, random_sketch, shrink};
use fencepost_oracle::{Bounds, deadlock};
use fencepost_program::Program;
use fencepost_story::{Outcome, Reason, Verdict};
use fencepost_testing::{seeds, trials};

const GRAPHS: u64 = 400;
/// More is not needed to find one.
const EXECUTIONS: u64 = 5_000;

/// `None`: not known.
fn violated(verdict: &Verdict) -> Option<bool> {
    match verdict.outcome {
        Outcome::Violated => Some(true),
        Outcome::Holds | Outcome::Unknown(Reason::NoExecution(_)) => Some(false),
        Outcome::Unknown(_) => None,
    }
}

const ONLY_DEADLOCKS: Properties = Properties { deadlocks: true, ..Properties::NONE };

fn explored(program: &Program, model: Model) -> Option<bool> {
    let max_executions = Some(EXECUTIONS);
    let options = Options { properties: ONLY_DEADLOCKS, max_executions, ..Options::new(model) };
    violated(&count(program, &options, &Default::default()).ok()?.verdict)
}

fn checked(program: &Program) -> Option<bool> {
    let options =
        fencepost_check::Options { properties: ONLY_DEADLOCKS, max_states: Some(100_000), ..Default::default() };
    violated(&fencepost_check::check(program, &options, &Default::default()).ok()?)
}

/// Two answers for each of many programs, which must not differ. Both answers must be met.
fn compare(programs: u64, answers: impl Fn(&str, Model) -> Option<(bool, bool)>) {
    let programs = trials(programs);
    let (mut yes, mut no) = (0, 0);
    for seed in seeds(programs) {
        let sketch = random_sketch(seed, Profile::ALL[seed as usize % 3]);
        for model in Model::of(Engine::Explore) {
            let Some((expected, found)) = answers(&sketch.to_string(), model) else { continue };
            *(if expected { &mut yes } else { &mut no }) += 1;
            if expected != found {
                let differs = |s: &Sketch| answers(&s.to_string(), model).is_some_and(|(a, b)| a != b);
                panic!("seed {seed}, {model}: {found}, expected {expected}\n{}", shrink(&sketch, differs));
            }
        }
    }
    assert!(yes > programs / 5 && no > programs / 5, "{yes} deadlocks, {no} without");
}

#[test]
fn deadlocks_are_those_of_the_definition() {
    compare(2_000, |text, model| {
        // A third of the programs have a thread that does nothing for ever.
        let endless = if text.len().is_multiple_of(3) { "thread endless { loop { } }\n" } else { "" };
        let program = parse_fp("random.fp", &format!("{text}{endless}")).ok()?.program;
        let bounds = Bounds { graphs: GRAPHS, ..Bounds::default() };
        Some((deadlock(&program, model, bounds).ok()?.is_some(), explored(&program, model)?))
    });
}

#[test]
fn a_thread_that_spins_waits() {
    compare(1_000, |text, model| {
        let spinning: Vec<String> = text.lines().map(spin).collect();
        let waits = parse_fp("random.fp", text).ok()?.program;
        let spins = parse_fp("random.fp", &spinning.join("\n")).expect("a loop for each wait").program;
        Some((explored(&waits, model)?, explored(&spins, model)?))
    });
}

#[test]
fn check_finds_the_deadlocks_of_interleavings() {
    compare(2_000, |text, model| {
        let spinning: Vec<String> = text.lines().map(spin).collect();
        // Half of the programs spin.
        let text = if text.len().is_multiple_of(2) { text.to_owned() } else { spinning.join("\n") };
        let endless = ["", "loop { }", "loop { e0 = x.load(acq); }", "loop { x.fetch_add(0, rlx); e0 = x.load(rlx); }"];
        let endless = match endless[text.len() % 7 % 4] {
            "" => String::new(),
            body => format!("\nthread endless {{ {body} }}\n"),
        };
        let text = text + &endless;
        let program = parse_fp("random.fp", &text).ok().filter(|_| model == Model::Sc)?.program;
        Some((explored(&program, Model::Sc)?, checked(&program)?))
    });
}

/// `wait(x == 1, acq);` and `x.bcas(0, 1, acq);` as loops.
fn spin(line: &str) -> String {
    if let Some((indent, rest)) = line.split_once("wait(") {
        let (condition, order) = rest.rsplit_once(", ").expect("an ordering");
        let signs = [(" == ", "!="), (" != ", "=="), (" >= ", "<")];
        let split = |(sign, opposite)| condition.split_once(sign).map(|(place, value)| (place, opposite, value));
        let (place, opposite, value) = signs.into_iter().find_map(split).expect("a wait compares");
        let order = order.trim_end_matches(");");
        return format!(
            "{indent}s0 = {place}.load({order});\n{indent}while (s0 {opposite} {value}) {{ s0 = {place}.load({order}); }}"
        );
    }
    if let Some((place, rest)) = line.trim().split_once(".bcas(") {
        return format!("s1 = 0; while (s1 == 0) {{ (s1, _) = {place}.cas({rest} }}");
    }
    line.to_owned()
}
