//! One program in `.fp`, `.litmus` and C has the same executions, the same final states and the same verdict.

use std::collections::BTreeMap;
use std::fmt::Write;

use fencepost_explore::{Options, Watch, count, explore};
use fencepost_frontend::{parse_fp, parse_litmus};
use fencepost_models::Model;
use fencepost_program::{Address, Program, Value};
use fencepost_story::{FindingKind, Outcome, Properties};
use fencepost_testing::compiled;

const ATOMIC: [&str; 2] = ["x", "y"];
const PLAIN: &str = "n";

#[derive(Clone, Copy)]
enum Op {
    Load(usize, Ordering),
    Store(usize, u32, Ordering),
    FetchAdd(usize, Ordering),
    Exchange(usize, u32, Ordering),
    Fence(Ordering),
    PlainLoad,
    PlainStore(u32),
}

/// A name in `.fp` and one in C.
type Ordering = (&'static str, &'static str);

const RELAXED: Ordering = ("rlx", "relaxed");
const ACQUIRE: Ordering = ("acq", "acquire");
const RELEASE: Ordering = ("rel", "release");
const ACQ_REL: Ordering = ("acqrel", "acq_rel");
const SEQ_CST: Ordering = ("sc", "seq_cst");

impl Op {
    fn reads(self) -> bool {
        matches!(self, Op::Load(..) | Op::FetchAdd(..) | Op::Exchange(..) | Op::PlainLoad)
    }

    /// The call or access in `.fp`.
    fn fp(self) -> String {
        match self {
            Op::Load(at, (o, _)) => format!("{}.load({o})", ATOMIC[at]),
            Op::Store(at, value, (o, _)) => format!("{}.store({value}, {o})", ATOMIC[at]),
            Op::FetchAdd(at, (o, _)) => format!("{}.fetch_add(1, {o})", ATOMIC[at]),
            Op::Exchange(at, value, (o, _)) => format!("{}.exchange({value}, {o})", ATOMIC[at]),
            Op::Fence((o, _)) => format!("fence({o})"),
            Op::PlainLoad => format!("{PLAIN}.load(na)"),
            Op::PlainStore(value) => format!("{PLAIN}.store({value}, na)"),
        }
    }

    /// The same in C, where locations are pointers.
    fn c(self) -> String {
        let explicit = |name: &str, at: usize, value: Option<u32>, order: &str| {
            let value = value.map_or(String::new(), |value| format!("{value}, "));
            format!("atomic_{name}_explicit({}, {value}memory_order_{order})", ATOMIC[at])
        };
        match self {
            Op::Load(at, (_, o)) => explicit("load", at, None, o),
            Op::Store(at, value, (_, o)) => explicit("store", at, Some(value), o),
            Op::FetchAdd(at, (_, o)) => explicit("fetch_add", at, Some(1), o),
            Op::Exchange(at, value, (_, o)) => explicit("exchange", at, Some(value), o),
            Op::Fence((_, o)) => format!("atomic_thread_fence(memory_order_{o})"),
            Op::PlainLoad => format!("*{PLAIN}"),
            Op::PlainStore(value) => format!("*{PLAIN} = {value}"),
        }
    }
}

type Test = Vec<Vec<Op>>;

/// The locations that a thread leaves what it has read in, one a read.
fn outputs(test: &Test) -> Vec<String> {
    let count =
        |(t, thread): (usize, &Vec<Op>)| (0..thread.iter().filter(|op| op.reads()).count()).map(move |i| (t, i));
    test.iter().enumerate().flat_map(count).map(|(t, i)| format!("out_{t}_{i}")).collect()
}

fn in_fp(test: &Test) -> String {
    let mut text = format!("atomic {};\nnonatomic {PLAIN};\n", ATOMIC.join(", "));
    for output in outputs(test) {
        writeln!(text, "atomic {output};").expect("a string");
    }
    for (t, thread) in test.iter().enumerate() {
        writeln!(text, "thread t{t} {{").expect("a string");
        let mut reads = 0;
        for op in thread {
            if op.reads() {
                writeln!(text, "  r{reads} = {};", op.fp()).expect("a string");
                reads += 1;
            } else {
                writeln!(text, "  {};", op.fp()).expect("a string");
            }
        }
        (0..reads).for_each(|i| writeln!(text, "  out_{t}_{i}.store(r{i}, rlx);").expect("a string"));
        text += "}\n";
    }
    text
}

/// The bodies of the threads, and the locations of each.
fn bodies(test: &Test) -> Vec<(String, Vec<String>)> {
    let body = |(t, thread): (usize, &Vec<Op>)| {
        let (mut text, mut reads) = (String::new(), 0);
        for op in thread {
            if op.reads() {
                writeln!(text, "  int r{reads} = {};", op.c()).expect("a string");
                reads += 1;
            } else {
                writeln!(text, "  {};", op.c()).expect("a string");
            }
        }
        let own = (0..reads).map(|i| format!("out_{t}_{i}"));
        let mut locations: Vec<String> = ATOMIC.iter().map(|&name| name.to_owned()).collect();
        for (i, output) in own.enumerate() {
            writeln!(text, "  atomic_store_explicit({output}, r{i}, memory_order_relaxed);").expect("a string");
            locations.push(output);
        }
        (text, locations)
    };
    test.iter().enumerate().map(body).collect()
}

fn in_litmus(test: &Test) -> String {
    let mut text = String::from("C generated\n\n{}\n");
    for (t, (body, locations)) in bodies(test).into_iter().enumerate() {
        let parameters: Vec<String> = locations.iter().map(|name| format!("atomic_int *{name}")).collect();
        writeln!(text, "\nP{t} ({}, int *{PLAIN}) {{\n{body}}}", parameters.join(", ")).expect("a string");
    }
    text + "\nexists (x=0)\n"
}

fn in_c(test: &Test) -> String {
    let mut text = String::from("#include <pthread.h>\n#include <stdatomic.h>\n");
    for name in ATOMIC.iter().map(|&name| name.to_owned()).chain(outputs(test)) {
        writeln!(text, "atomic_int cell_{name};").expect("a string");
    }
    writeln!(text, "int cell_{PLAIN};").expect("a string");
    for (t, (body, locations)) in bodies(test).into_iter().enumerate() {
        writeln!(text, "static void *P{t}(void *unused) {{\n  int *{PLAIN} = &cell_{PLAIN};").expect("a string");
        for name in locations {
            writeln!(text, "  atomic_int *{name} = &cell_{name};").expect("a string");
        }
        writeln!(text, "{body}  return 0;\n}}").expect("a string");
    }
    let count = test.len();
    writeln!(text, "int main(void) {{\n  pthread_t threads[{count}];").expect("a string");
    (0..count).for_each(|t| writeln!(text, "  pthread_create(&threads[{t}], 0, P{t}, 0);").expect("a string"));
    (0..count).for_each(|t| writeln!(text, "  pthread_join(threads[{t}], 0);").expect("a string"));
    text + "  return 0;\n}\n"
}

/// Where a location is, by its name.
fn cell(program: &Program, name: &str) -> Address {
    let named = format!("cell_{name}");
    match program.globals.iter().find(|global| global.name == named) {
        Some(global) => Address::of_memory(global.pointer, 4),
        None => program.objects.iter().find(|object| object.name == name).expect("a location").first,
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Answer {
    complete: u64,
    blocked: u64,
    /// How many executions end in each final state.
    states: BTreeMap<Vec<Value>, u64>,
    /// With races looked for.
    race: bool,
}

fn answer(program: &Program, names: &[String], model: Model) -> Answer {
    let cells: Vec<Address> = names.iter().map(|name| cell(program, name)).collect();
    let mut states: BTreeMap<Vec<Value>, u64> = BTreeMap::new();
    let options = Options { properties: Properties { races: false, ..Properties::ALL }, ..Options::new(model) };
    let found = explore(program, &options, &Watch::default(), |shown| {
        *states.entry(cells.iter().map(|&at| shown.value(at)).collect()).or_default() += 1;
    })
    .unwrap();
    assert_eq!(found.verdict.outcome, Outcome::Holds);
    let judged = count(program, &Options::new(model), &Watch::default()).unwrap().verdict;
    let race = judged.outcome == Outcome::Violated;
    assert!(!race || judged.violations[0].kind == FindingKind::DataRace);
    Answer { complete: found.complete, blocked: found.blocked, states, race }
}

fn classics() -> Vec<Test> {
    let mut tests = Vec::new();
    for (write, read) in [(RELAXED, RELAXED), (RELEASE, ACQUIRE), (SEQ_CST, SEQ_CST), (RELEASE, RELAXED)] {
        let (x, y) = (0, 1);
        let store = |at, value| Op::Store(at, value, write);
        let load = |at| Op::Load(at, read);
        tests.extend([
            vec![vec![store(x, 1), load(y)], vec![store(y, 1), load(x)]],
            vec![vec![store(x, 1), store(y, 1)], vec![load(y), load(x)]],
            vec![vec![load(x), store(y, 1)], vec![load(y), store(x, 1)]],
            vec![vec![store(x, 1), store(y, 2)], vec![store(y, 1), store(x, 2)]],
            vec![vec![store(x, 1)], vec![load(x), store(y, 1)], vec![load(y), load(x)]],
            vec![vec![store(x, 1)], vec![store(y, 1)], vec![load(x), load(y)], vec![load(y), load(x)]],
            vec![vec![Op::PlainStore(1), store(x, 1)], vec![load(x), Op::PlainLoad]],
            vec![vec![store(x, 1), Op::Fence(SEQ_CST), load(y)], vec![store(y, 1), Op::Fence(SEQ_CST), load(x)]],
        ]);
    }
    tests
}

fn random(rng: &mut fastrand::Rng) -> Test {
    let pick = |rng: &mut fastrand::Rng, from: &[Ordering]| from[rng.usize(..from.len())];
    let threads = rng.usize(2..=3);
    let op = |rng: &mut fastrand::Rng| {
        let (at, value) = (rng.usize(..2), rng.u32(1..3));
        match rng.usize(..8) {
            0 | 1 => Op::Load(at, pick(rng, &[RELAXED, ACQUIRE, SEQ_CST])),
            2 | 3 => Op::Store(at, value, pick(rng, &[RELAXED, RELEASE, SEQ_CST])),
            4 => Op::FetchAdd(at, pick(rng, &[RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST])),
            5 => Op::Exchange(at, value, pick(rng, &[RELAXED, ACQ_REL, SEQ_CST])),
            6 => Op::Fence(pick(rng, &[ACQUIRE, RELEASE, ACQ_REL, SEQ_CST])),
            _ if rng.bool() => Op::PlainLoad,
            _ => Op::PlainStore(value),
        }
    };
    (0..threads).map(|_| (0..rng.usize(1..=7 - 2 * (threads - 1))).map(|_| op(rng)).collect()).collect()
}

#[test]
fn a_program_in_three_languages_has_the_same_executions_final_states_and_races() {
    let mut rng = fastrand::Rng::with_seed(3);
    let mut tests = classics();
    tests.extend((0..32).map(|_| random(&mut rng)));
    let (mut races, mut weak) = (0, 0);
    for test in &tests {
        let (fp, litmus) = (in_fp(test), in_litmus(test));
        let in_fp = parse_fp("generated.fp", &fp).unwrap_or_else(|e| panic!("{e}")).program;
        let in_litmus = parse_litmus("generated.litmus", &litmus).unwrap_or_else(|e| panic!("{e}")).program;
        let in_c = compiled("generated", &in_c(test));
        let names: Vec<String> = ATOMIC.iter().map(|&name| name.to_owned()).chain(outputs(test)).collect();
        let mut states = Vec::new();
        for model in [Model::Sc, Model::Tso, Model::Ra, Model::Rc11, Model::Jam21] {
            let expected = answer(&in_fp, &names, model);
            assert_eq!(answer(&in_litmus, &names, model), expected, "{} in litmus:\n{litmus}", model.name());
            assert_eq!(answer(&in_c, &names, model), expected, "{} in C:\n{fp}", model.name());
            races += u32::from(expected.race);
            states.push(expected.states.len());
        }
        weak += u32::from(states[0] < states[3]);
    }
    assert!(tests.len() >= 40 && races >= 10 && weak >= 10, "{} tests, {races} races, {weak} weak", tests.len());
}
