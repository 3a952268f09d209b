//! Random C programs that read local variables, arrays and structs to which they may not have written. What a thread
//! does depends on one value only, so whether some execution reads too early is computed here, byte by byte; `check`
//! and `explore` must say the same.

use std::fmt::Write as _;

use fastrand::Rng;
use fencepost_check::{Options as Checking, check};
use fencepost_explore::{Options, count};
use fencepost_models::Model;
use fencepost_story::{Outcome, Verdict};
use fencepost_testing::{compiled, seeds, trials};

/// The variables of the thread lie one after the other here: `int a[3], b[3]; struct both s, t; int v;`
/// Each has this many bytes.
const SIZE: usize = 12;
const NAMES: [&str; 4] = ["a", "b", "s", "t"];
const V: usize = 4 * SIZE;

#[derive(Clone, Copy, Debug)]
enum Op {
    Write(Place),
    Read(Place),
    /// From one array or struct to another, whether or not it was written.
    Copy(usize, usize),
    Clear(usize),
}

/// Bytes of a variable. With `k`, those are meant that are as far behind as `k` is large.
#[derive(Clone, Copy, Debug)]
enum Place {
    Element { array: usize, index: usize, k: bool },
    Number { of: usize },
    Letter { of: usize, index: usize },
    Scalar,
}

impl Place {
    fn random(rng: &mut Rng) -> Place {
        match rng.u8(..7) {
            0..=2 => Place::Element { array: rng.usize(..2), index: rng.usize(..2), k: rng.bool() },
            3 => Place::Number { of: rng.usize(2..4) },
            4 | 5 => Place::Letter { of: rng.usize(2..4), index: rng.usize(..8) },
            _ => Place::Scalar,
        }
    }

    fn text(self) -> String {
        match self {
            Place::Element { array, index, k } => format!("{}[{index}{}]", NAMES[array], if k { " + k" } else { "" }),
            Place::Number { of } => format!("{}.number", NAMES[of]),
            Place::Letter { of, index } => format!("{}.letters[{index}]", NAMES[of]),
            Place::Scalar => "v".to_owned(),
        }
    }

    fn bytes(self, k: usize) -> std::ops::Range<usize> {
        let (start, size) = match self {
            Place::Element { array, index, k: depends } => {
                (array * SIZE + 4 * (index + if depends { k } else { 0 }), 4)
            }
            Place::Number { of } => (of * SIZE, 4),
            Place::Letter { of, index } => (of * SIZE + 4 + index, 1),
            Place::Scalar => (V, 4),
        };
        start..start + size
    }
}

/// An operation, and the value of `k` that it is for, if it is for one.
type Step = (Op, Option<usize>);

fn steps(rng: &mut Rng) -> Vec<Step> {
    (0..rng.usize(2..9))
        .map(|_| {
            let op = match rng.u8(..12) {
                0..=5 => Op::Write(Place::random(rng)),
                6..=8 => Op::Read(Place::random(rng)),
                9 | 10 => {
                    let first = 2 * rng.usize(..2);
                    let from = first + rng.usize(..2);
                    Op::Copy(from, first + (from + 1) % 2)
                }
                _ => Op::Clear(rng.usize(..4)),
            };
            (op, rng.bool().then(|| rng.usize(..2)))
        })
        .collect()
}

fn reads_too_early(steps: &[Step], k: usize) -> bool {
    let mut written = [false; V + 4];
    for &(op, only) in steps {
        if only.is_some_and(|only| only != k) {
            continue;
        }
        match op {
            Op::Write(place) => written[place.bytes(k)].fill(true),
            Op::Read(place) if written[place.bytes(k)].contains(&false) => return true,
            Op::Read(_) => {}
            Op::Copy(from, to) => written.copy_within(from * SIZE..(from + 1) * SIZE, to * SIZE),
            Op::Clear(variable) => written[variable * SIZE..(variable + 1) * SIZE].fill(true),
        }
    }
    false
}

fn text(steps: &[Step]) -> String {
    let mut body = String::new();
    for &(op, only) in steps {
        let guard = only.map_or(String::new(), |only| format!("if (k == {only}) "));
        let statement = match op {
            Op::Write(place) => format!("{} = 1;", place.text()),
            Op::Read(place) => format!("if ({}) n++;", place.text()),
            Op::Copy(from, to) if from >= 2 => format!("{} = {};", NAMES[to], NAMES[from]),
            Op::Copy(from, to) => format!("memcpy({}, {}, sizeof a);", NAMES[to], NAMES[from]),
            Op::Clear(variable) => format!("memset(&{0}, 0, sizeof {0});", NAMES[variable]),
        };
        writeln!(body, "  {guard}{statement}").expect("a string");
    }
    format!(
        "#include <pthread.h>\n#include <stdatomic.h>\n#include <string.h>\n\
         struct both {{ int number; char letters[8]; }};\nstatic atomic_int x;\n\
         static void *set(void *unused) {{\n  atomic_store(&x, 1);\n  return 0;\n}}\n\
         static void *use(void *unused) {{\n  int a[3], b[3], v;\n  struct both s, t;\n  long n = 0;\n  \
         int k = atomic_load(&x);\n{body}  return (void *)n;\n}}\n\
         int main(void) {{\n  pthread_t one, two;\n  pthread_create(&one, 0, set, 0);\n  \
         pthread_create(&two, 0, use, 0);\n  pthread_join(one, 0);\n  pthread_join(two, 0);\n}}\n"
    )
}

/// Whether memory is read that was not written.
fn is_found(verdict: &Verdict, text: &str) -> bool {
    match verdict.outcome {
        Outcome::Holds => false,
        Outcome::Violated => {
            let kind = verdict.violations[0].kind.name();
            assert_eq!(kind, "uninitialised-read", "{text}");
            true
        }
        Outcome::Unknown(ref why) => panic!("{why}\n{text}"),
    }
}

#[test]
fn locals_that_are_read_too_early_are_found() {
    let programs = trials(60);
    let (mut wrong, mut right) = (0, 0);
    for seed in seeds(programs) {
        let steps = steps(&mut Rng::with_seed(seed));
        let expected = (0..2).any(|k| reads_too_early(&steps, k));
        let text = text(&steps);
        let program = compiled("random", &text);
        for model in [Model::Sc, Model::Rc11] {
            let explored = count(&program, &Options::new(model), &Default::default()).unwrap().verdict;
            assert_eq!(is_found(&explored, &text), expected, "explore {model}, seed {seed}\n{text}");
        }
        let checked = check(&program, &Checking::default(), &Default::default()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(is_found(&checked, &text), expected, "check, seed {seed}\n{text}");
        *(if expected { &mut wrong } else { &mut right }) += 1;
    }
    println!("{wrong} wrong, {right} right");
    assert!(wrong > programs / 8 && right > programs / 8, "{wrong} wrong, {right} right");
}
