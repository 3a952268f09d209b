//! Random C programs with local memory to which they may not have written, and assertions that constants decide or that
//! nothing reaches. All depends on one value that a thread loads, so which assertions are reached and which may fail is
//! computed here.

mod c_text;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use c_text::compiled;
use fastrand::Rng;
use fencepost_models::Engine;
use fencepost_prove::{Check, Model, Options, prove};
use fencepost_testing::{seeds, trials};

const PLACES: [&str; 8] = ["a[0]", "a[1]", "b[0]", "b[1]", "s.one", "s.two", "v", "w"];
/// `a` and `b`, both of two numbers.
const COPIES: [(&str, usize, usize); 2] = [("memcpy(b, a, sizeof a);", 0, 2), ("memcpy(a, b, sizeof a);", 2, 0)];

#[derive(Clone, Copy)]
enum Step {
    Write(usize, i32),
    /// To `a[k]`.
    WriteAtK(i32),
    Copy(usize),
    Clear,
    Assert(usize, i32),
    Constant(bool),
}

/// A step, and the value of `k` that it is for, if it is for one. No execution has 2.
type Guarded = (Step, Option<usize>);

fn steps(rng: &mut Rng) -> Vec<Guarded> {
    (0..rng.usize(3..14))
        .map(|_| {
            let step = match rng.u8(..12) {
                0..=3 => Step::Write(rng.usize(..PLACES.len()), i32::from(rng.u8(..4) > 0)),
                4 => Step::WriteAtK(i32::from(rng.u8(..4) > 0)),
                5 => Step::Copy(rng.usize(..2)),
                6 => Step::Clear,
                7 => Step::Constant(rng.u8(..3) > 0),
                _ => Step::Assert(rng.usize(..PLACES.len()), i32::from(rng.u8(..4) > 0)),
            };
            (step, (rng.u8(..3) == 0).then(|| rng.usize(..3)))
        })
        .collect()
}

fn text(steps: &[Guarded]) -> String {
    let mut text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <string.h>\n\
        static atomic_int x;\nstatic void *set(void *unused) { atomic_store(&x, 1); return 0; }\nint main(void) {\n\
        int a[2], b[2], v, w; struct { int one, two; } s; pthread_t t; pthread_create(&t, 0, set, 0);\n\
        int k = atomic_load(&x);\n"
        .to_owned();
    for &(step, only) in steps {
        let guard = only.map_or(String::new(), |only| format!("if (k == {only}) "));
        let statement = match step {
            Step::Write(place, value) => format!("{} = {value};", PLACES[place]),
            Step::WriteAtK(value) => format!("a[k] = {value};"),
            Step::Copy(which) => COPIES[which].0.to_owned(),
            Step::Clear => "memset(&s, 0, sizeof s);".to_owned(),
            Step::Assert(place, value) => format!("assert({} == {value});", PLACES[place]),
            Step::Constant(holds) => format!("assert({});", holds as u8),
        };
        writeln!(text, "{guard}{statement}").expect("a string");
    }
    text + "pthread_join(t, 0);\n}\n"
}

/// The lines of assertions that an execution reaches, and of those that may fail. What follows a failure is not looked
/// at.
fn run(steps: &[Guarded], k: usize, reached: &mut BTreeSet<usize>, failing: &mut BTreeSet<usize>) {
    let first = text(&[]).lines().count() - 2;
    let mut values = [None; PLACES.len()];
    for (number, &(step, only)) in steps.iter().enumerate() {
        if only.is_some_and(|only| only != k) {
            continue;
        }
        let holds = match step {
            Step::Write(place, value) => {
                values[place] = Some(value);
                continue;
            }
            Step::WriteAtK(value) => {
                values[k] = Some(value);
                continue;
            }
            Step::Copy(which) => {
                let (_, from, to) = COPIES[which];
                values.copy_within(from..from + 2, to);
                continue;
            }
            Step::Clear => {
                values[4..6].fill(Some(0));
                continue;
            }
            Step::Assert(place, value) => values[place] == Some(value),
            Step::Constant(holds) => holds,
        };
        reached.insert(first + number);
        if !holds {
            failing.insert(first + number);
            return;
        }
    }
}

#[test]
fn nothing_that_may_fail_is_proved_and_nothing_that_is_reached_is_called_unreached() {
    let programs = trials(50);
    let (mut proved, mut alarms, mut unreached) = (0, 0, 0);
    for seed in seeds(programs) {
        let steps = steps(&mut Rng::with_seed(seed));
        let (mut reached, mut failing) = Default::default();
        (0..2).for_each(|k| run(&steps, k, &mut reached, &mut failing));
        let text = text(&steps);
        let program = compiled("uninitialised-random", &text);
        for model in Model::of(Engine::Prove) {
            let answers = prove(&program, None, &Options::new(model)).unwrap_or_else(|e| panic!("{e}\n{text}")).answers;
            for answer in answers.iter().filter(|answer| answer.check == Check::Assertion) {
                let line = answer.span.line as usize - 1;
                let place = format!("seed {seed}, {model}, line {}\n{text}", line + 1);
                assert!(!(answer.is_proved() && failing.contains(&line)), "bogus proof: {place}");
                assert!(answer.reached || !reached.contains(&line), "called unreached: {place}");
                *match (answer.is_proved(), answer.reached) {
                    (true, true) => &mut proved,
                    (true, false) => &mut unreached,
                    (false, _) => &mut alarms,
                } += 1;
            }
            let listed: BTreeSet<usize> = answers.iter().map(|answer| answer.span.line as usize - 1).collect();
            assert!(reached.is_subset(&listed), "seed {seed}, {model}: an assertion has no answer\n{text}");
        }
    }
    println!("{proved} proved, {unreached} never reached, {alarms} alarms");
    assert!(proved > programs && alarms > programs && unreached > programs / 2, "{proved}, {unreached}, {alarms}");
}
