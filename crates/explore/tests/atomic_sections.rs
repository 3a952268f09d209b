//! Atomic sections are one step of an interleaving, whatever others do outside of sections: random small programs end
//! as interleavings by definition do.

use std::collections::BTreeSet;

use fastrand::Rng;
use fencepost_check::{Options as Checking, Properties as Checked, check};
use fencepost_explore::{Options, Watch, explore};
use fencepost_frontend::Settings;
use fencepost_models::Model;
use fencepost_program::{Address, Program, Value};
use fencepost_story::{Outcome, Properties};
use fencepost_testing::{compiled_as, seeds};

#[derive(Clone, Copy)]
enum Access {
    /// Into the thread's next result.
    Read(usize),
    Write(usize, Value),
}

/// One step: a section, or one access outside.
#[derive(Clone)]
struct Step {
    accesses: Vec<Access>,
    form: Form,
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Outside,
    /// Between the marks of a begin and an end.
    Marked,
    /// A function whose name says so.
    Function,
}

type Threads = Vec<Vec<Step>>;

const VARIABLES: [&str; 2] = ["x", "y"];
/// Results of a thread.
const MOST_READS: usize = 4;

fn random(rng: &mut Rng) -> Threads {
    let mut value = 0;
    let mut access = |rng: &mut Rng, reads: &mut usize| {
        let variable = rng.usize(0..2);
        if *reads < MOST_READS && rng.bool() {
            *reads += 1;
            return Access::Read(variable);
        }
        value += 1;
        Access::Write(variable, value)
    };
    let thread = |rng: &mut Rng, access: &mut dyn FnMut(&mut Rng, &mut usize) -> Access| {
        let mut reads = 0;
        let steps = (0..rng.usize(1..=2)).map(|_| match rng.u8(0..5) {
            0 | 1 => Step { accesses: vec![access(rng, &mut reads)], form: Form::Outside },
            form => {
                let accesses = (0..rng.usize(1..=3)).map(|_| access(rng, &mut reads)).collect();
                Step { accesses, form: if form == 2 { Form::Function } else { Form::Marked } }
            }
        });
        steps.collect::<Vec<_>>()
    };
    (0..rng.usize(2..=3)).map(|_| thread(rng, &mut access)).collect()
}

/// The program in C. Atomic variables, or plain ones; accesses by name, or some through a pointer.
fn text(threads: &Threads, is_atomic: bool, pointers: bool, wrong: Option<&[Value]>) -> String {
    let ty = if is_atomic { "atomic_int" } else { "int" };
    let mut functions = String::new();
    let mut bodies = String::new();
    for (t, steps) in threads.iter().enumerate() {
        let (mut body, mut reads) = (String::new(), 0);
        for (s, step) in steps.iter().enumerate() {
            let mut code = String::new();
            for (i, access) in step.accesses.iter().enumerate() {
                let through = |name: &str| match pointers && (t + s + i) % 2 == 0 {
                    true => format!("*there(&{name})"),
                    false => name.to_owned(),
                };
                code += &match *access {
                    Access::Read(variable) => {
                        reads += 1;
                        format!("r[{}] = {};\n", reads - 1, through(VARIABLES[variable]))
                    }
                    Access::Write(variable, value) => format!("{} = {value};\n", through(VARIABLES[variable])),
                };
            }
            body += &match step.form {
                Form::Outside => code,
                Form::Marked => format!("__VERIFIER_atomic_begin();\n{code}__VERIFIER_atomic_end();\n"),
                Form::Function => {
                    functions += &format!("static int __VERIFIER_atomic_{t}_{s}(int *r) {{\n{code}return 0;\n}}\n");
                    format!("__VERIFIER_atomic_{t}_{s}(r);\n")
                }
            };
        }
        let first = t * MOST_READS;
        let tell = (0..reads).map(|i| format!("out{} = r[{i}];\n", first + i)).collect::<String>();
        bodies += &format!("static void *thread{t}(void *_) {{\nint r[{MOST_READS}];\n{body}{tell}return 0;\n}}\n");
    }
    let names = names(threads);
    let outs = names[2..].iter().map(|name| format!("int {name};\n")).collect::<String>();
    let all = |form: &dyn Fn(usize) -> String| (0..threads.len()).map(form).collect::<String>();
    let conditions = |values: &[Value]| {
        names.iter().zip(values).map(|(name, value)| format!("{name} == {value}")).collect::<Vec<_>>().join(" && ")
    };
    let wrong = wrong.map_or(String::new(), |values| format!("assert(!({}));\n", conditions(values)));
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n
void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\n{ty} x, y;\n{outs}
static {ty} *there({ty} *p) {{ return p; }}\n{functions}{bodies}
int main(void) {{\npthread_t t[{}];\n{}{}{wrong}return 0;\n}}\n",
        threads.len(),
        all(&|t| format!("pthread_create(&t[{t}], 0, thread{t}, 0);\n")),
        all(&|t| format!("pthread_join(t[{t}], 0);\n")),
    )
}

/// What a final state consists of.
fn names(threads: &Threads) -> Vec<String> {
    let outs = (0..threads.len() * MOST_READS).map(|i| format!("out{i}"));
    VARIABLES.map(str::to_owned).into_iter().chain(outs).collect()
}

/// The final states of all interleavings, by definition. `torn` lets others come in between the accesses of a section.
fn by_definition(threads: &Threads, torn: bool) -> BTreeSet<Vec<Value>> {
    let steps: Vec<Vec<Vec<Access>>> = threads
        .iter()
        .map(|steps| match torn {
            true => steps.iter().flat_map(|step| &step.accesses).map(|&access| vec![access]).collect(),
            false => steps.iter().map(|step| step.accesses.clone()).collect(),
        })
        .collect();
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let start = (vec![0; threads.len()], vec![0; threads.len()], vec![0; 2 + threads.len() * MOST_READS]);
    let mut todo = vec![start];
    while let Some(state) = todo.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let (at, reads, memory) = state;
        let mut ended = true;
        for t in 0..threads.len() {
            let Some(step) = steps[t].get(at[t]) else { continue };
            ended = false;
            let (mut at, mut reads, mut memory) = (at.clone(), reads.clone(), memory.clone());
            at[t] += 1;
            for access in step {
                match *access {
                    Access::Read(variable) => {
                        memory[2 + t * MOST_READS + reads[t]] = memory[variable];
                        reads[t] += 1;
                    }
                    Access::Write(variable, value) => memory[variable] = value,
                }
            }
            todo.push((at, reads, memory));
        }
        if ended {
            found.insert(memory);
        }
    }
    found
}

fn cells(program: &Program, threads: &Threads) -> Vec<Address> {
    let place = |name: &String| {
        let global = program.globals.iter().find(|global| global.name == *name).expect("a global variable");
        Address::of_memory(global.pointer, 4)
    };
    names(threads).iter().map(place).collect()
}

#[test]
fn a_section_is_one_step_of_an_interleaving() {
    let (mut sharp, mut programs) = (0, 0);
    for seed in seeds(40) {
        let mut rng = Rng::with_seed(seed);
        let threads = random(&mut rng);
        let (is_atomic, pointers) = (rng.bool(), rng.bool());
        let expected = by_definition(&threads, false);
        let torn = by_definition(&threads, true);
        let settings = Settings { ignores_races: true, ..Settings::default() };
        let text_of = |wrong| text(&threads, is_atomic, pointers, wrong);
        let program = compiled_as("sections", &text_of(None), settings);
        let properties = Properties { races: false, ..Properties::ALL };
        let mut found = BTreeSet::new();
        let cells = cells(&program, &threads);
        let options = Options { properties, ..Options::new(Model::Sc) };
        let explored = explore(&program, &options, &Watch::default(), |execution| {
            found.insert(cells.iter().map(|&cell| execution.value(cell)).collect());
        });
        let verdict = explored.expect("it is admitted").verdict;
        assert_eq!(verdict.outcome, Outcome::Holds, "seed {seed}: {verdict:?}\n{}", text_of(None));
        assert_eq!(found, expected, "seed {seed}\n{}", text_of(None));
        // `check` takes longer, so it is asked about one final state: one that a section in pieces would allow.
        let asked = torn.iter().find(|state| !expected.contains(*state)).or(expected.first()).expect("an end");
        let program = compiled_as("sections", &text_of(Some(asked)), settings);
        let properties = Checked { races: false, robustness: false, ..Checked::ALL };
        let verdict = check(&program, &Checking { properties, ..Checking::default() }, &Default::default());
        let is_reached = verdict.expect("it is admitted").outcome == Outcome::Violated;
        assert_eq!(is_reached, expected.contains(asked), "seed {seed}\n{}", text_of(Some(asked)));
        sharp += usize::from(torn != expected);
        programs += 1;
    }
    assert!(programs < 20 || sharp * 4 > programs, "{sharp} of {programs} programs tell sections from their parts");
}
