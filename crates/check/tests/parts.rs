//! Accesses of several sizes to the same bytes are taken as accesses to their parts: a program has the verdict of the
//! same program with each access written out byte by byte.

use fastrand::Rng;
use fencepost_check::{Options, Properties, check};
use fencepost_frontend::read_with;
use fencepost_program::{
    Address, ArithmeticOp, Cell, Comparison, FuncId, Function, Global, Inst, Memory, Object, ObjectId, Operand,
    Ordering, Place, Program, Reg, Register, Span, Thread, Ty, UnaryOp, Value, memory,
};
use fencepost_story::{Outcome, Reason};
use fencepost_testing::{sources, trials};

const FLAGS: u32 = 2;
const BYTES: u32 = 8;

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
    Set(u32, Ordering),
    Await(u32, Ordering),
}

fn random_thread(random: &mut Rng) -> Vec<Step> {
    let mut step = || {
        let size = 1 << random.u32(..4);
        // At a multiple of its size, or as in a packed struct anywhere.
        let offset = if random.bool() { random.u32(..BYTES) / size * size } else { random.u32(..=BYTES - size) };
        let value = |random: &mut Rng| [0, 1, -1, 0x0101_0101_0101_0101, 0x0102][random.usize(..5)];
        let flag = random.u32(..FLAGS);
        match random.u8(..7) {
            0 | 1 => Step::Write { offset, size, value: value(random) },
            2 | 3 => Step::Read { offset, size, not: memory::sign_extended(value(random), 8 * size) },
            4 | 5 => Step::Set(flag, [Ordering::Release, Ordering::Relaxed][usize::from(random.u8(..4) == 0)]),
            _ => Step::Await(flag, [Ordering::Acquire, Ordering::Relaxed][usize::from(random.u8(..4) == 0)]),
        }
    };
    (0..4).map(|_| step()).collect()
}

fn bytes(offset: u32, size: u32) -> Place {
    let pointer = Operand::Const(memory::GLOBALS as Value);
    Place::Memory(Memory { alignment: 1, ..Memory::aligned(pointer, offset as i32, size as u8) })
}

fn function(steps: &[Step], byte_by_byte: bool) -> Function {
    let (result, byte) = (Reg(0), Reg(1));
    let flag = |index: u32| Place::Cell(Cell { object: ObjectId(index), index: Operand::Const(0) });
    let plain = Ordering::NonAtomic;
    let arithmetic =
        |dst: Reg, op: ArithmeticOp, a: Reg, b: Operand| Inst::Arithmetic { dst, op, bits: 64, a: Operand::Reg(a), b };
    let cast = |dst: Reg, op: UnaryOp, from: u32, to: u32| Inst::Unary {
        dst,
        op,
        from: from as u8,
        to: to as u8,
        a: Operand::Reg(dst),
    };
    let mut code = Vec::new();
    for &step in steps {
        match step {
            Step::Write { offset, size, value } if byte_by_byte => code.extend((0..size).map(|i| {
                let value = Operand::Const(memory::sign_extended(value >> (8 * i), 8));
                Inst::Store { place: bytes(offset + i, 1), value, order: plain }
            })),
            Step::Write { offset, size, value } => {
                code.push(Inst::Store { place: bytes(offset, size), value: Operand::Const(value), order: plain })
            }
            Step::Read { offset, size, not } => {
                if byte_by_byte {
                    let zero = Operand::Const(0);
                    code.push(arithmetic(result, ArithmeticOp::And, result, zero));
                    for i in 0..size {
                        code.push(Inst::Load { dst: Some(byte), place: bytes(offset + i, 1), order: plain });
                        code.push(cast(byte, UnaryOp::ZExt, 8, 64));
                        code.push(arithmetic(byte, ArithmeticOp::Shl, byte, Operand::Const(Value::from(8 * i))));
                        code.push(arithmetic(result, ArithmeticOp::Or, result, Operand::Reg(byte)));
                    }
                    if size < 8 {
                        code.push(cast(result, UnaryOp::Trunc, 64, 8 * size));
                    }
                } else {
                    code.push(Inst::Load { dst: Some(result), place: bytes(offset, size), order: plain });
                }
                code.push(arithmetic(result, ArithmeticOp::Sub, result, Operand::Const(not)));
                code.push(Inst::Assert { cond: Operand::Reg(result) });
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
    let registers = ["result", "byte"].map(|name| Register::variable(name, Ty::Int)).to_vec();
    let spans = vec![Span::default(); code.len()];
    Function { registers, code, spans, ..Function::default() }
}

fn program(threads: &[Vec<Step>], byte_by_byte: bool) -> Program {
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
        bytes: vec![0; BYTES as usize],
        constant: false,
        parts: Vec::new(),
        span: Span::default(),
    };
    let thread = |index: usize| Thread { name: format!("t{index}"), func: FuncId(index as u32), args: Vec::new() };
    Program {
        objects: (0..FLAGS).map(object).collect(),
        globals: vec![data],
        functions: threads.iter().map(|steps| function(steps, byte_by_byte)).collect(),
        threads: (0..threads.len()).map(thread).collect(),
        ..Program::default()
    }
}

fn violated(program: &Program, properties: Properties, closure: usize) -> bool {
    let options = Options { properties, closure, ..Options::default() };
    let verdict = check(program, &options, &Default::default()).expect("a program for RC11");
    let nothing = matches!(verdict.outcome, Outcome::Unknown(Reason::NoExecution(_)));
    assert!(nothing || !matches!(verdict.outcome, Outcome::Unknown(_)), "{:?}", verdict.outcome);
    verdict.outcome == Outcome::Violated
}

#[test]
fn a_program_has_the_verdict_of_the_same_program_byte_by_byte() {
    let programs = trials(1_500);
    // What an assertion says of a torn value depends on where it is torn, so only programs without races are compared.
    let others = [
        Properties { robustness: true, ..Properties::NONE },
        Properties { assertions: true, ..Properties::NONE },
        Properties { deadlocks: true, ..Properties::NONE },
    ];
    let mut random = Rng::with_seed(7);
    let (mut racy, mut failing, mut right) = (0, 0, 0);
    for _ in 0..programs {
        let threads: Vec<Vec<Step>> = (0..random.usize(1..4)).map(|_| random_thread(&mut random)).collect();
        let (whole, divided) = (program(&threads, false), program(&threads, true));
        for closure in [0, Options::default().closure] {
            let races = Properties { races: true, ..Properties::NONE };
            let race = violated(&whole, races, closure);
            assert_eq!(race, violated(&divided, races, closure), "races of {threads:#?}");
            if race {
                racy += 1;
                continue;
            }
            for properties in others {
                let found = violated(&whole, properties, closure);
                assert_eq!(found, violated(&divided, properties, closure), "{properties:?} of {threads:#?}");
                *if found { &mut failing } else { &mut right } += 1;
            }
        }
    }
    assert!(racy > programs / 4 && failing > programs / 4 && right > programs, "{racy} {failing} {right}");
}

#[test]
fn an_atomic_access_is_not_divided() {
    let place = |offset, size, order| Inst::Store { place: bytes(offset, size), value: Operand::Const(1), order };
    let small_and_large = |small: Ordering, large: Ordering| {
        let mut program = program(&[Vec::new()], false);
        program.functions[0].code = vec![place(4, 4, small), place(0, 8, large)];
        program.functions[0].spans = vec![Span::default(); 2];
        check(&program, &Options::default(), &Default::default()).expect("a program for RC11").outcome
    };
    let (plain, atomic) = (Ordering::NonAtomic, Ordering::Relaxed);
    assert_eq!(small_and_large(plain, plain), Outcome::Holds);
    assert_eq!(small_and_large(atomic, plain), Outcome::Holds);
    assert_eq!(small_and_large(plain, atomic), Outcome::Holds, "the plain access is widened");
    let Outcome::Unknown(Reason::Other(reason)) = small_and_large(atomic, atomic) else { panic!("not unknown") };
    assert!(reason.contains("an access to 8 bytes at `data` overlaps one to 4 bytes"), "{reason}");
}

/// `programs/c/sizes`: a struct that is cleared and copied as a whole, a union, a word read in pieces.
#[test]
fn c_programs_with_accesses_of_several_sizes_have_the_verdict_of_their_header() {
    let mut verdicts = 0;
    for source in sources("c/sizes", &["c"]) {
        let (path, expected) = (&source.path, source.expect("check"));
        let program = read_with(path, &[]).unwrap_or_else(|e| panic!("{e}")).program;
        let verdict = check(&program, &Options::default(), &Default::default()).expect("a program for RC11");
        let found = match (&verdict.outcome, verdict.violations.first()) {
            (Outcome::Holds, _) => "robust".to_owned(),
            (_, Some(violation)) => violation.kind.name().to_owned(),
            (outcome, None) => format!("{outcome:?}"),
        };
        assert_eq!(found, expected, "{}", path.display());
        verdicts += 1;
    }
    assert!(verdicts >= 3);
}
