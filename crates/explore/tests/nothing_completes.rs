//! `check` and an exploration of interleavings say of the same programs that no execution completes, and why.

use fencepost_check::Properties;
use fencepost_explore::{Options, count};
use fencepost_frontend::parse_fp;
use fencepost_models::Model;
use fencepost_oracle::random::{Profile, Sketch, random_sketch, shrink};
use fencepost_story::{Outcome, Reason, Verdict};
use fencepost_testing::{seeds, trials};

/// More executions are not needed.
const EXECUTIONS: u64 = 3_000;

/// What is added to a program: assumptions that rule out all executions, some or none, and threads that have no end.
const ADDED: [&str; 8] = [
    "",
    "thread judge { j0 = x.load(rlx); assume(j0 == 7); }",
    "thread judge { j0 = x.load(rlx); assume(j0 == 1); }",
    "thread judge { j0 = x.load(rlx);\n if (j0 == 1) { assume(j0 == 0); } else { assume(j0 == 1); } }",
    "thread judge { j0 = choose(0..1); assume(j0 == 1); loop { } }",
    "thread endless { loop { j0 = x.load(rlx); } }",
    "thread endless { loop { j0 = x.load(rlx); assume(j0 == 7); } }",
    "thread judge { j0 = x.load(rlx); wait(x == 7, rlx); }\nthread other { j0 = choose(0..1); assume(j0 == 1); }",
];

#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Violated,
    Holds,
    /// No execution completes, and why.
    Nothing(String),
}

/// `None`: not known.
fn answer(verdict: Verdict) -> Option<Answer> {
    match verdict.outcome {
        Outcome::Violated => Some(Answer::Violated),
        Outcome::Holds => Some(Answer::Holds),
        Outcome::Unknown(Reason::NoExecution(why)) => Some(Answer::Nothing(why)),
        Outcome::Unknown(_) => None,
    }
}

/// The answers of `explore` and `check`.
fn answers(text: &str, added: &str, deadlocks: bool) -> Option<(Answer, Answer)> {
    let program = parse_fp("random.fp", &format!("{text}\n{added}\n")).ok()?.program;
    let assertions = !deadlocks;
    let max_executions = Some(EXECUTIONS);
    let properties = Properties { assertions, deadlocks, ..Properties::NONE };
    let exploring = Options { properties, max_executions, ..Options::new(Model::Sc) };
    let explored = answer(count(&program, &exploring, &Default::default()).unwrap().verdict)?;
    let checking = fencepost_check::Options { properties, max_states: Some(100_000), ..Default::default() };
    let checked = answer(fencepost_check::check(&program, &checking, &Default::default()).ok()?)?;
    Some((explored, checked))
}

fn agree(explored: &Answer, checked: &Answer) -> bool {
    match explored {
        // For `check`, an execution that goes on for ever is one.
        Answer::Nothing(why) if why.contains("a loop without an exit") => *checked == Answer::Holds,
        _ => explored == checked,
    }
}

#[test]
fn check_and_explore_agree_on_what_rules_out_every_execution() {
    let programs = trials(3_000);
    let (mut nothing, mut endless, mut holds, mut violated) = (0, 0, 0, 0);
    for seed in seeds(programs) {
        let sketch = random_sketch(seed, Profile::ALL[seed as usize % 3]);
        let (added, deadlocks) = (ADDED[seed as usize / 3 % ADDED.len()], seed % 2 == 0);
        let Some((explored, checked)) = answers(&sketch.to_string(), added, deadlocks) else { continue };
        match &explored {
            Answer::Violated => violated += 1,
            Answer::Holds => holds += 1,
            Answer::Nothing(why) if why.contains("a loop without an exit") => endless += 1,
            Answer::Nothing(_) => nothing += 1,
        }
        if !agree(&explored, &checked) {
            let differs = |s: &Sketch| {
                answers(&s.to_string(), added, deadlocks).is_some_and(|(explored, checked)| !agree(&explored, &checked))
            };
            let small = shrink(&sketch, differs);
            panic!("seed {seed}: explore {explored:?}, check {checked:?}\n{small}\n{added}");
        }
    }
    let enough = [nothing, endless, holds, violated].into_iter().all(|n| n > programs / 20);
    assert!(enough, "{nothing} nothing, {endless} endless, {holds} hold, {violated} violated");
}
