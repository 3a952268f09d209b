//! If a proof says that no execution completes, none does; and it says so where an assumption never holds.

mod random;

use fencepost_explore::{Options as Exploring, count};
use fencepost_frontend::parse_fp;
use fencepost_models::Model;
use fencepost_oracle::random::{Profile, random_sketch};
use fencepost_prove::{Options, prove};
use fencepost_story::{Outcome, Properties, Reason};
use fencepost_testing::{at_least, seeds, trials};

const ADDED: [&str; 6] = [
    "thread judge { assume(0 == 1); }",
    "thread judge { j0 = x.load(rlx); assume(j0 == 7); }",
    "thread judge { j0 = x.load(rlx); assume(j0 == 1); }",
    "thread judge { j0 = x.load(sc); j1 = x.load(sc); assume(j0 == 1); assume(j1 == 0); }",
    "thread judge { j0 = choose(0..1); assume(j0 == 1); loop { } }",
    "thread endless { loop { j0 = x.load(rlx); assume(j0 == 7); } }",
];

#[test]
fn no_execution_completes_where_a_proof_says_so() {
    let (mut nothing, mut something, mut missed) = (0, 0, 0);
    for seed in seeds(trials(400)) {
        let sketch = random_sketch(seed, Profile::ALL[seed as usize % 3]).to_string();
        // A thread that fails does not end either.
        let kept = sketch.lines().filter(|line| !line.contains("assert(")).map(|line| format!("{line}\n"));
        let text = format!("{}{}\n", kept.collect::<String>(), ADDED[seed as usize % ADDED.len()]);
        let Ok(input) = parse_fp("random.fp", &text) else { continue };
        for model in [Model::Sc, Model::Tso, Model::Pso] {
            let exploring =
                Exploring { properties: Properties::NONE, max_executions: Some(2_000), ..Exploring::new(model) };
            let explored = count(&input.program, &exploring, &Default::default()).unwrap().verdict.outcome;
            let none = match explored {
                Outcome::Holds => false,
                Outcome::Unknown(Reason::NoExecution(_)) => true,
                _ => continue,
            };
            let cut_off = prove(&input.program, None, &Options::new(model)).expect("no recursion").cut_off;
            assert!(none || cut_off.is_none(), "seed {seed}, {model}: an execution completes\n{text}");
            *(match (none, cut_off.is_some()) {
                (true, true) => &mut nothing,
                (true, false) => &mut missed,
                (false, _) => &mut something,
            }) += 1;
        }
    }
    println!("{nothing} without executions, {missed} missed, {something} with");
    let enough = at_least(20, 400);
    assert!(nothing > enough && something > enough, "{nothing} without executions, {missed} missed, {something} with");
    assert!(missed < nothing, "{nothing} without executions, {missed} missed");
}
