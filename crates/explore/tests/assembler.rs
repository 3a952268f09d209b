//! Litmus tests in the assembler of x86 have the executions of the same programs in `.fp`.

use std::collections::BTreeMap;
use std::fmt::Write;

use fencepost_explore::{Options, Watch, explore};
use fencepost_frontend::{Input, parse_fp, parse_litmus};
use fencepost_models::Model;
use fencepost_program::question::Observable;
use fencepost_program::{Program, Value};
use fencepost_testing::{at_least, trials};

const LOCATIONS: [&str; 2] = ["x", "y"];
const MODELS: [Model; 4] = [Model::Sc, Model::Ibm370, Model::Tso, Model::Pso];

#[derive(Clone, Copy, Debug)]
enum Op {
    /// Into a register of its own.
    Load(usize),
    Store(usize, u32),
    Exchange(usize, u32),
    /// Unlocked ones are a load and a store.
    Increment {
        at: usize,
        locked: bool,
    },
    ExchangeAdd(usize, u32),
    CompareExchange {
        at: usize,
        expected: u32,
        desired: u32,
        locked: bool,
    },
    Mfence,
    Sfence,
    Lfence,
    /// Skips the next operation if the register that was loaded last is 0.
    SkipIfZero,
}

type Test = Vec<Vec<Op>>;

/// Registers that a thread loads into; the fourth is the accumulator of CMPXCHG, the fifth for the rest.
const NAMES: [[&str; 3]; 2] = [["ebx", "ecx", "edx"], ["EBX", "ECX", "EDX"]];
const LOADS: usize = 3;

fn random(rng: &mut fastrand::Rng) -> Test {
    let threads = rng.usize(2..=3);
    let thread = |rng: &mut fastrand::Rng| {
        let mut ops = Vec::new();
        let mut loads = 0;
        for _ in 0..rng.usize(1..=7 - 2 * (threads - 1)) {
            let (at, value) = (rng.usize(..2), rng.u32(1..3));
            ops.push(match rng.usize(..20) {
                0..6 if loads < LOADS => {
                    loads += 1;
                    Op::Load(at)
                }
                0..13 => Op::Store(at, value),
                13 => Op::Exchange(at, value),
                14 => Op::Increment { at, locked: rng.bool() },
                15 => Op::ExchangeAdd(at, value),
                16 => Op::CompareExchange { at, expected: rng.u32(..2), desired: value, locked: rng.bool() },
                17 => Op::Mfence,
                18 if rng.bool() => Op::Sfence,
                18 => Op::Lfence,
                _ if matches!(ops.last(), Some(Op::SkipIfZero)) => Op::Store(at, value),
                _ => Op::SkipIfZero,
            });
        }
        ops
    };
    (0..threads).map(|_| thread(rng)).collect()
}

/// A row for each instruction of a thread, in herd's X86 (destination first) or X86_64 (destination last).
fn rows(thread: &[Op], att: bool, first_label: &mut usize) -> Vec<String> {
    let memory = |at: usize| if att { format!("({})", LOCATIONS[at]) } else { format!("[{}]", LOCATIONS[at]) };
    let register = |name: &str| if att { format!("%{}", name.to_lowercase()) } else { name.to_uppercase() };
    let two = |mnemonic: &str, to: String, from: String| match att {
        true => format!("{}l {from},{to}", mnemonic.to_lowercase()),
        false => format!("{mnemonic} {to},{from}"),
    };
    let (mut rows, mut loads, mut pending) = (Vec::new(), 0, None);
    for op in thread {
        let label: Option<usize> = pending.take();
        let loaded = |n: usize| register(NAMES[0][n]);
        match *op {
            Op::Load(at) => {
                rows.push(two("MOV", loaded(loads), memory(at)));
                loads += 1;
            }
            Op::Store(at, value) => rows.push(two("MOV", memory(at), format!("${value}"))),
            Op::Exchange(at, value) => {
                rows.push(two("MOV", register("esi"), format!("${value}")));
                rows.push(two("XCHG", memory(at), register("esi")));
            }
            Op::Increment { at, locked } => {
                let lock = if locked { "LOCK " } else { "" };
                rows.push(if att { format!("{lock}incl {}", memory(at)) } else { format!("{lock}INC {}", memory(at)) });
            }
            Op::ExchangeAdd(at, value) => {
                rows.push(two("MOV", register("edi"), format!("${value}")));
                rows.push(format!("LOCK {}", two("XADD", memory(at), register("edi"))));
            }
            Op::CompareExchange { at, expected, desired, locked } => {
                let lock = if locked { "LOCK " } else { "" };
                rows.push(two("MOV", register("eax"), format!("${expected}")));
                rows.push(two("MOV", register("esi"), format!("${desired}")));
                rows.push(format!("{lock}{}", two("CMPXCHG", memory(at), register("esi"))));
            }
            Op::Mfence => rows.push("MFENCE".into()),
            Op::Sfence => rows.push("SFENCE".into()),
            Op::Lfence => rows.push("LFENCE".into()),
            Op::SkipIfZero => {
                let last = loaded(loads.max(1) - 1);
                rows.push(two("TEST", last.clone(), last));
                rows.push(format!("JZ L{first_label}"));
                pending = Some(*first_label);
                *first_label += 1;
            }
        }
        if let Some(label) = label {
            rows.push(format!("L{label}:"));
        }
    }
    if let Some(label) = pending {
        rows.push(format!("L{label}:"));
    }
    rows
}

fn in_assembler(test: &Test, att: bool) -> String {
    let mut label = 0;
    let columns: Vec<Vec<String>> = test.iter().map(|thread| rows(thread, att, &mut label)).collect();
    let header: Vec<String> = (0..test.len()).map(|t| format!("P{t}")).collect();
    let mut text =
        format!("{} generated\n{{ x=0; y=0; }}\n{} ;\n", if att { "X86_64" } else { "X86" }, header.join(" | "));
    for row in 0..columns.iter().map(Vec::len).max().unwrap_or(0) {
        let cells: Vec<&str> = columns.iter().map(|c| c.get(row).map_or("", String::as_str)).collect();
        writeln!(text, " {} ;", cells.join(" | ")).expect("a string");
    }
    let seen = (0..test.len()).flat_map(|t| NAMES[1].iter().chain(&["EAX"]).map(move |name| format!("{t}:{name};")));
    writeln!(text, "locations [x; y; {}]", seen.collect::<Vec<_>>().join(" ")).expect("a string");
    text + "exists (x=0)\n"
}

fn in_fp(test: &Test) -> String {
    let mut text = String::from("atomic x, y;\n");
    for (t, thread) in test.iter().enumerate() {
        let registers: Vec<String> = NAMES[1].iter().map(|name| format!("var {name}; {name} = 0;")).collect();
        writeln!(text, "thread P{t} {{ {} var EAX; EAX = 0;", registers.join(" ")).expect("a string");
        let (mut loads, mut open) = (0, false);
        for op in thread {
            let close = std::mem::take(&mut open);
            let at = |at: usize| LOCATIONS[at];
            match *op {
                Op::Load(from) => {
                    writeln!(text, "{} = {}.load(rlx);", NAMES[1][loads], at(from)).expect("a string");
                    loads += 1;
                }
                Op::Store(to, value) => writeln!(text, "{}.store({value}, rlx);", at(to)).expect("a string"),
                Op::Exchange(to, value) => writeln!(text, "r = {}.exchange({value}, sc);", at(to)).expect("a string"),
                Op::Increment { at: to, locked: true } => {
                    writeln!(text, "r = {}.fetch_add(1, sc);", at(to)).expect("a string");
                }
                Op::Increment { at: to, locked: false } => {
                    writeln!(text, "r = {0}.load(rlx); {0}.store(r + 1, rlx);", at(to)).expect("a string");
                }
                Op::ExchangeAdd(to, value) => {
                    writeln!(text, "r = {}.fetch_add({value}, sc);", at(to)).expect("a string");
                }
                Op::CompareExchange { at: to, expected, desired, locked: true } => {
                    let cas = format!("{}.cas({expected}, {desired}, sc, sc)", at(to));
                    writeln!(text, "fence(sc); EAX = {cas};").expect("a string");
                }
                Op::CompareExchange { at: to, expected, desired, locked: false } => {
                    let store = format!("if (r == {expected}) {{ {}.store({desired}, rlx); }}", at(to));
                    writeln!(text, "r = {}.load(rlx); {store} EAX = r;", at(to)).expect("a string");
                }
                Op::Mfence => writeln!(text, "fence(sc);").expect("a string"),
                Op::Sfence => writeln!(text, "fence(StoreStore);").expect("a string"),
                Op::Lfence => writeln!(text, "fence(LoadLoad);").expect("a string"),
                Op::SkipIfZero => {
                    writeln!(text, "if ({} != 0) {{", NAMES[1][loads.max(1) - 1]).expect("a string");
                    open = true;
                }
            }
            if close {
                text += "}\n";
            }
        }
        text += if open { "}\n}\n" } else { "}\n" };
    }
    text
}

/// How many executions end in each final state: the locations, then for each thread the registers by their names.
fn states(program: &Program, observed: &[Observable], model: Model) -> (u64, BTreeMap<Vec<Value>, u64>) {
    let mut states: BTreeMap<Vec<Value>, u64> = BTreeMap::new();
    let found = explore(program, &Options::new(model), &Watch::default(), |shown| {
        let value = |observable: &Observable| match *observable {
            Observable::Cell(at) => shown.value(at),
            Observable::Register { thread, reg } => {
                shown.registers(thread)[program.observed_index(thread, reg).expect("observed")]
            }
        };
        *states.entry(observed.iter().map(value).collect()).or_default() += 1;
    });
    (found.expect("taken").complete, states)
}

fn observed_in_fp(program: &mut Program) -> Vec<Observable> {
    let mut observed: Vec<Observable> = LOCATIONS
        .iter()
        .map(|name| Observable::Cell(program.objects.iter().find(|o| o.name == *name).expect("a location").first))
        .collect();
    for thread in 0..program.threads.len() {
        let function = &mut program.functions[thread];
        for name in NAMES[1].iter().chain(&["EAX"]) {
            let reg = function.registers.iter().position(|register| register.name() == Some(name)).expect("a register");
            let reg = fencepost_program::Reg(reg as u32);
            function.observed.push(reg);
            observed.push(Observable::Register { thread, reg });
        }
    }
    observed
}

fn observed(input: &Input) -> Vec<Observable> {
    input.observed.iter().map(|(_, observable)| *observable).collect()
}

#[test]
fn random_tests_have_the_executions_and_final_states_of_the_same_programs_in_fp() {
    let mut rng = fastrand::Rng::with_seed(16);
    let count = trials(300);
    let (mut tso, mut pso) = (0u64, 0u64);
    for _ in 0..count {
        let test = random(&mut rng);
        let fp = in_fp(&test);
        let mut program = parse_fp("generated.fp", &fp).unwrap_or_else(|e| panic!("{e}\n{fp}")).program;
        let in_program = observed_in_fp(&mut program);
        let mut numbers = Vec::new();
        for model in MODELS {
            let expected = states(&program, &in_program, model);
            for att in [false, true] {
                let text = in_assembler(&test, att);
                let input = parse_litmus("generated.litmus", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
                let found = states(&input.observing(), &observed(&input), model);
                assert_eq!(found, expected, "{} of\n{text}\n{fp}", model.name());
            }
            numbers.push(expected.0);
        }
        tso += u64::from(numbers[0] < numbers[2]);
        pso += u64::from(numbers[2] < numbers[3]);
    }
    let enough = at_least(15, 300);
    assert!(tso >= enough && pso >= enough, "{tso} and {pso} of {count} are weak");
}

#[test]
fn a_spin_loop_needs_no_bound() {
    let text = "X86 t\n{ }\n P0 | P1 ;\n MOV [x],$1 | AGAIN: ;\n MOV [y],$1 | CMP [y],$0 ;\n  | JE AGAIN ;\n\
                | MOV EBX,[x] ;\nlocations [1:EBX;]\n";
    let input = parse_litmus("spin.litmus", text).unwrap_or_else(|e| panic!("{e}"));
    for (model, expected) in [(Model::Tso, vec![vec![1]]), (Model::Pso, vec![vec![0], vec![1]])] {
        let (_, states) = states(&input.observing(), &observed(&input), model);
        assert_eq!(states.into_keys().collect::<Vec<_>>(), expected, "{}", model.name());
    }
}
