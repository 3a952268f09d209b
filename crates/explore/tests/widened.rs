//! Plain accesses to a part of what other accesses take as a whole and atomically: they are taken as accesses to the
//! whole. So a program does what it does if that is written out; but a race that is only between the accesses as
//! written out is not reported.

use fastrand::Rng;
use fencepost_check as check;
use fencepost_explore::{Options, Watch, count};
use fencepost_models::Model;
use fencepost_program::{
    Address, ArithmeticOp, Cell, Comparison, FuncId, Function, Global, Inst, Memory, Object, ObjectId, Operand,
    Ordering, Place, Program, Reg, Register, Span, Thread, Ty, UnaryOp, UpdateOp, Value, memory, wide,
};
use fencepost_story::{FindingKind, Outcome, Properties, Reason, Verdict};
use fencepost_testing::trials;

const FLAGS: u32 = 2;
/// Set when an atomic access was made.
const OPENED: u32 = FLAGS;
/// Bytes of the cell that atomic accesses have, in most programs.
const WHOLE: u32 = 4;
/// In others. A part has at most half of it.
const WIDE: u32 = wide::SIZE as u32;

#[derive(Clone, Copy, Debug)]
enum Step {
    Write {
        offset: u32,
        size: u32,
        value: Value,
    },
    /// Reads, and asserts that it is not this.
    Read {
        offset: u32,
        size: u32,
        not: Value,
    },
    Store(Value, Ordering),
    Add(Value, Ordering),
    /// Reads all, and asserts that it is not this.
    Load(Value, Ordering),
    Set(u32, Ordering),
    Await(u32, Ordering),
}

const VALUES: [Value; 4] = [0, 1, 0x0001_0001, 0x0101_0201];

fn random_thread(random: &mut Rng, whole: u32) -> Vec<Step> {
    let mut step = || {
        let size = 1 << random.u32(..whole.ilog2());
        let offset = random.u32(..whole) / size * size;
        let value = VALUES[random.usize(..VALUES.len())];
        let flag = random.u32(..FLAGS);
        match random.u8(..11) {
            0 | 1 => Step::Write { offset, size, value },
            2 | 3 => Step::Read { offset, size, not: memory::sign_extended(value, 8 * size) },
            4 => Step::Store(value, [Ordering::Release, Ordering::Relaxed][random.usize(..2)]),
            5 => Step::Add(value, [Ordering::AcqRel, Ordering::Relaxed][random.usize(..2)]),
            6 => Step::Load(value, [Ordering::Acquire, Ordering::Relaxed][random.usize(..2)]),
            7 | 8 => Step::Set(flag, [Ordering::Release, Ordering::Relaxed][usize::from(random.u8(..4) == 0)]),
            _ => Step::Await(flag, [Ordering::Acquire, Ordering::Relaxed][usize::from(random.u8(..4) == 0)]),
        }
    };
    (0..3).map(|_| step()).collect()
}

fn bytes(offset: u32, size: u32) -> Place {
    let pointer = Operand::Const(memory::GLOBALS as Value);
    Place::Memory(Memory::aligned(pointer, offset as i32, size as u8))
}

/// What the cell holds if all of it is this.
fn all(value: Value, whole: u32) -> Value {
    if whole == WIDE { wide::join(value, value << 9) } else { value }
}

/// Reads the cell, and puts a word of it into `result` that contains the byte at an offset. Returns where the byte is
/// in it, in bits.
fn read_word(code: &mut Vec<Inst>, offset: u32, whole: u32) -> u32 {
    let (result, other) = (Reg(0), Reg(2));
    code.push(Inst::Load { dst: Some(result), place: bytes(0, whole), order: Ordering::NonAtomic });
    if whole == WIDE {
        let half = |dst, op| Inst::Unary { dst, op, from: 64, to: 64, a: Operand::Reg(result) };
        let (mine, others) =
            if offset < 8 { (UnaryOp::LowHalf, UnaryOp::HighHalf) } else { (UnaryOp::HighHalf, UnaryOp::LowHalf) };
        code.extend([half(other, others), half(result, mine)]);
    }
    8 * (offset % 8)
}

/// Writes the cell with what [`read_word`] has read and may have changed since.
fn write_word(code: &mut Vec<Inst>, offset: u32, whole: u32) {
    let (result, other) = (Reg(0), Reg(2));
    if whole == WIDE {
        let (a, b) = if offset < 8 { (result, other) } else { (other, result) };
        let (a, b) = (Operand::Reg(a), Operand::Reg(b));
        code.push(Inst::Arithmetic { dst: result, op: ArithmeticOp::Join, bits: 64, a, b });
    }
    code.push(Inst::Store { place: bytes(0, whole), value: Operand::Reg(result), order: Ordering::NonAtomic });
}

fn function(steps: &[Step], whole: u32, written_out: bool) -> Function {
    let (result, part) = (Reg(0), Reg(1));
    let size_of_whole = whole;
    let flag = |index: u32| Place::Cell(Cell { object: ObjectId(index), index: Operand::Const(0) });
    let whole = bytes(0, whole);
    let plain = Ordering::NonAtomic;
    let bits = (8 * size_of_whole).min(64) as u8;
    let arithmetic = |op: ArithmeticOp, b: Value| {
        let b = Operand::Const(memory::sign_extended(b, bits.into()));
        Inst::Arithmetic { dst: result, op, bits, a: Operand::Reg(result), b }
    };
    let mut code = Vec::new();
    let differs = |code: &mut Vec<Inst>, not: Value| {
        code.push(Inst::Arithmetic {
            dst: part,
            op: ArithmeticOp::Ne,
            bits: 64,
            a: Operand::Reg(result),
            b: Operand::Const(not),
        });
        code.push(Inst::Assert { cond: Operand::Reg(part) });
    };
    for &step in steps {
        match step {
            Step::Write { offset, size, value } if written_out => {
                let shift = read_word(&mut code, offset, size_of_whole);
                let mask = (u64::MAX >> (64 - 8 * size) << shift) as Value;
                code.push(arithmetic(ArithmeticOp::And, !mask));
                code.push(arithmetic(ArithmeticOp::Or, value << shift & mask));
                write_word(&mut code, offset, size_of_whole);
            }
            Step::Write { offset, size, value } => {
                let value = Operand::Const(memory::sign_extended(value, 8 * size));
                code.push(Inst::Store { place: bytes(offset, size), value, order: plain });
            }
            Step::Read { offset, size, not } => {
                if written_out {
                    let shift = read_word(&mut code, offset, size_of_whole);
                    code.push(arithmetic(ArithmeticOp::LShr, Value::from(shift)));
                    let (op, a) = (UnaryOp::Trunc, Operand::Reg(result));
                    code.push(Inst::Unary { dst: result, op, from: bits, to: 8 * size as u8, a });
                } else {
                    code.push(Inst::Load { dst: Some(result), place: bytes(offset, size), order: plain });
                }
                differs(&mut code, not);
            }
            Step::Store(value, order) => {
                let value = Operand::Const(all(value, size_of_whole));
                code.push(Inst::Store { place: whole, value, order });
            }
            Step::Add(value, order) => {
                let operand = Operand::Const(all(value, size_of_whole));
                code.push(Inst::Rmw { dst: None, place: whole, op: UpdateOp::Add, operand, order, when: None });
            }
            Step::Load(not, order) => {
                code.push(Inst::Load { dst: Some(result), place: whole, order });
                differs(&mut code, all(not, size_of_whole));
            }
            Step::Set(index, order) => {
                code.push(Inst::Store { place: flag(index), value: Operand::Const(1), order });
            }
            Step::Await(index, order) => code.push(Inst::Wait {
                dst: None,
                place: flag(index),
                comparison: Comparison::Eq,
                value: Operand::Const(1),
                order,
            }),
        }
    }
    let registers = ["result", "part", "other"].map(|name| Register::variable(name, Ty::Int)).to_vec();
    let spans = vec![Span::default(); code.len()];
    Function { registers, code, spans, ..Function::default() }
}

fn program(threads: &[Vec<Step>], whole: u32, written_out: bool) -> Program {
    let object = |index: u32| Object {
        name: format!("flag{index}"),
        first: Address(u64::from(index)),
        init: vec![0],
        ty: Ty::Int,
        atomic: true,
        array: false,
        span: Span::default(),
    };
    let data = Global {
        name: "data".to_owned(),
        pointer: memory::GLOBALS,
        bytes: vec![0; whole as usize],
        ..Global::default()
    };
    let thread = |index: usize| Thread { name: format!("t{index}"), func: FuncId(index as u32), args: Vec::new() };
    Program {
        objects: (0..=OPENED).map(object).collect(),
        globals: vec![data],
        functions: threads.iter().map(|steps| function(steps, whole, written_out)).collect(),
        threads: (0..threads.len()).map(thread).collect(),
        ..Program::default()
    }
}

/// What an engine says: nothing, a kind of violation, that it is not defined, or that nothing completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Holds,
    Found(FindingKind),
    Undefined,
    Nothing,
}

fn said(verdict: &Verdict) -> Said {
    match &verdict.outcome {
        Outcome::Holds => Said::Holds,
        Outcome::Violated => Said::Found(verdict.violations[0].kind),
        Outcome::Unknown(Reason::NoExecution(_)) => Said::Nothing,
        Outcome::Unknown(Reason::Other(reason)) if reason.contains("to a part of `data`") => Said::Undefined,
        Outcome::Unknown(reason) => panic!("{reason}"),
    }
}

fn explored(program: &Program, model: Model, properties: Properties) -> Said {
    let options = Options { properties, fixes: None, ..Options::new(model) };
    said(&count(program, &options, &Watch::default()).expect("a program for the model").verdict)
}

fn checked(program: &Program, properties: Properties, closure: usize) -> Said {
    let options = check::Options { properties, closure, fixes: None, ..check::Options::default() };
    said(&check::check(program, &options, &Default::default()).expect("a program for RC11"))
}

#[test]
fn a_program_does_what_it_does_if_its_accesses_are_written_out() {
    are_like_what_is_written_out(WHOLE, trials(1_500));
}

#[test]
fn so_does_one_with_accesses_to_16_bytes() {
    are_like_what_is_written_out(WIDE, trials(1_500));
}

fn are_like_what_is_written_out(whole: u32, programs: u64) {
    let races = Properties { races: true, ..Properties::NONE };
    let assertions = Properties { assertions: true, ..Properties::NONE };
    let robustness = Properties { robustness: true, ..Properties::NONE };
    let mut random = Rng::with_seed(11);
    let (mut racy, mut undefined, mut failing, mut right) = (0, 0, 0, 0);
    for _ in 0..programs {
        let mut threads: Vec<Vec<Step>> = (0..random.usize(1..4)).map(|_| random_thread(&mut random, whole)).collect();
        // In every execution some access is to the whole, before all others.
        threads.iter_mut().for_each(|thread| thread.insert(0, Step::Await(OPENED, Ordering::Acquire)));
        threads.push(vec![Step::Load(7, Ordering::Relaxed), Step::Set(OPENED, Ordering::Release)]);
        let (parts, written_out) = (program(&threads, whole, false), program(&threads, whole, true));
        let by_definition = explored(&written_out, Model::Rc11, races);
        for closure in [0, check::Options::default().closure] {
            let found = explored(&parts, Model::Rc11, races);
            let checked_races = checked(&parts, races, closure);
            match by_definition {
                Said::Found(_) => {
                    assert!(
                        matches!(found, Said::Found(FindingKind::DataRace) | Said::Undefined),
                        "{found:?}: {threads:#?}"
                    );
                    let same = |said| matches!(said, Said::Found(FindingKind::DataRace) | Said::Undefined);
                    assert!(same(checked_races), "{checked_races:?}: {threads:#?}");
                    if found == Said::Undefined {
                        undefined += 1
                    } else {
                        racy += 1
                    }
                    continue;
                }
                _ => assert_eq!(found, by_definition, "{threads:#?}"),
            }
            assert_eq!(checked_races, checked(&written_out, races, closure), "{threads:#?}");
            for model in [Model::Rc11, Model::Sc, Model::Tso] {
                let found = explored(&parts, model, assertions);
                assert_eq!(found, explored(&written_out, model, assertions), "{model:?} {threads:#?}");
                if let Said::Found(_) = found { failing += 1 } else { right += 1 }
            }
            for properties in [assertions, robustness] {
                let found = checked(&parts, properties, closure);
                assert_eq!(found, checked(&written_out, properties, closure), "{properties:?} {threads:#?}");
            }
        }
    }
    let few = programs / 20;
    assert!(racy > few && undefined > few / 4 && failing > few && right > few, "{racy} {undefined} {failing} {right}");
}

fn two_threads(first: &[Step], second: &[Step]) -> Program {
    program(&[first.to_vec(), second.to_vec()], WHOLE, false)
}

const WRITE_LOW: Step = Step::Write { offset: 0, size: 2, value: 1 };
const WRITE_HIGH: Step = Step::Write { offset: 2, size: 2, value: 1 };
const READ_LOW: Step = Step::Read { offset: 0, size: 2, not: 7 };
const LOAD: Step = Step::Load(7, Ordering::Relaxed);

/// Also if races are not checked: what follows would not be what the program does.
#[test]
fn concurrent_accesses_to_different_parts_are_undefined_and_no_race() {
    let first = [LOAD, Step::Set(0, Ordering::Release), WRITE_LOW];
    for second in [WRITE_HIGH, Step::Read { offset: 2, size: 2, not: 7 }] {
        let program = two_threads(&first, &[Step::Await(0, Ordering::Acquire), second]);
        for races in [true, false] {
            let properties = Properties { races, assertions: true, ..Properties::NONE };
            for model in [Model::Rc11, Model::Jam21, Model::Tso] {
                assert_eq!(explored(&program, model, properties), Said::Undefined, "{model:?} {second:?}");
            }
            assert_eq!(checked(&program, properties, 0), Said::Undefined, "{second:?}");
        }
    }
}

#[test]
fn concurrent_accesses_that_share_bytes_race() {
    let races = Properties { races: true, ..Properties::NONE };
    let race = Said::Found(FindingKind::DataRace);
    for (first, second) in [
        (vec![LOAD, WRITE_LOW], vec![WRITE_LOW]),
        (vec![LOAD, WRITE_LOW], vec![READ_LOW]),
        (vec![WRITE_LOW], vec![LOAD]),
        (vec![READ_LOW], vec![Step::Add(1, Ordering::AcqRel)]),
    ] {
        let program = two_threads(&first, &second);
        assert_eq!(explored(&program, Model::Rc11, races), race, "{first:?} {second:?}");
        assert_eq!(checked(&program, races, 0), race, "{first:?} {second:?}");
    }
    let program = two_threads(&[LOAD, READ_LOW], &[READ_LOW, Step::Load(7, Ordering::Acquire)]);
    assert_eq!(explored(&program, Model::Rc11, races), Said::Holds);
}

#[test]
fn an_atomic_access_to_a_part_is_refused() {
    let mut program = two_threads(&[LOAD], &[]);
    let small = Inst::Store { place: bytes(0, 2), value: Operand::Const(1), order: Ordering::Relaxed };
    program.functions[0].code.push(small);
    program.functions[0].spans.push(Span::default());
    let verdict = count(&program, &Options::new(Model::Rc11), &Watch::default()).expect("it is taken").verdict;
    let Outcome::Unknown(Reason::Other(reason)) = verdict.outcome else { panic!("{:?}", verdict.outcome) };
    assert!(reason.contains("overlaps one to 4 bytes"), "{reason}");
}
