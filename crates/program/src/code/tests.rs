//! Random code, run before and after it is changed.

use super::*;
use crate::{
    Action, Address, Answer, FuncId, Function, Machine, Object, ObjectId, Ordering, Program, Reg, Register, Span,
    Thread, Ty, Value,
};

const REGISTERS: u32 = 5;

/// A function with jumps forward, which ends; `callees` are what it may call.
fn random_function(rng: &mut fastrand::Rng, callees: std::ops::Range<u32>, types: &[Ty]) -> Function {
    let length = rng.u32(3..16);
    let params = rng.u32(..3);
    let registers =
        (0..REGISTERS).map(|r| Register::variable(format!("r{r}"), *rng.choice(types).expect("a type"))).collect();
    let code = (0..length).map(|pc| random_inst(rng, pc, length, callees.clone())).collect();
    Function { params, registers, code, spans: vec![Span::default(); length as usize], ..Function::default() }
}

fn random_inst(rng: &mut fastrand::Rng, pc: u32, length: u32, callees: std::ops::Range<u32>) -> Inst {
    let operand = |rng: &mut fastrand::Rng| match rng.u8(..3) {
        0 => Operand::Const(rng.i64(-2..5)),
        _ => Operand::Reg(Reg(rng.u32(..REGISTERS))),
    };
    let reg = |rng: &mut fastrand::Rng| Reg(rng.u32(..REGISTERS));
    let maybe = |rng: &mut fastrand::Rng| rng.bool().then(|| Reg(rng.clone().u32(..REGISTERS)));
    let target = |rng: &mut fastrand::Rng| rng.u32(pc + 1..=length);
    let cell = |rng: &mut fastrand::Rng| Place::Cell(Cell { object: ObjectId(rng.u32(..2)), index: Operand::Const(0) });
    let (dst, a, b) = (reg(rng), operand(rng), operand(rng));
    let order = Ordering::Relaxed;
    match rng.u8(..14) {
        0 | 1 => Inst::Copy { dst, a },
        2 => {
            let op = *rng.choice(&[UnaryOp::Neg, UnaryOp::Not, UnaryOp::BitNot]).expect("some");
            Inst::Unary { dst, op, from: 64, to: 64, a }
        }
        3 | 4 => {
            use ArithmeticOp::*;
            let op = *rng.choice(&[Add, Add, Sub, Mul, SDiv, Shl, And, Eq, SLt]).expect("some");
            Inst::Arithmetic { dst, op, bits: *rng.choice(&[32, 64]).expect("some"), a, b }
        }
        5 => Inst::Select { dst, cond: a, yes: b, no: operand(rng) },
        6 | 7 => Inst::Load { dst: maybe(rng), place: cell(rng), order },
        8 | 9 => Inst::Store { place: cell(rng), value: a, order },
        10 => Inst::Branch { cond: a, yes: target(rng), no: target(rng) },
        11 => Inst::Jump { target: target(rng) },
        12 if !callees.is_empty() => {
            let args = (0..rng.u8(..4)).map(|_| operand(rng)).collect();
            Inst::Call { dst: maybe(rng), func: FuncId(rng.u32(callees)), args }
        }
        12 => Inst::Store { place: cell(rng), value: b, order },
        _ if rng.u8(..3) == 0 => Inst::Return { value: rng.bool().then_some(a) },
        _ => Inst::Cas {
            old: maybe(rng),
            ok: maybe(rng),
            place: cell(rng),
            expected: a,
            desired: b,
            success: order,
            failure: order,
            kind: CasKind::Strong,
        },
    }
}

fn program(functions: Vec<Function>) -> Program {
    let object = |first: u64| Object {
        name: format!("x{first}"),
        first: Address(first),
        init: vec![0],
        ty: Ty::Int,
        atomic: true,
        array: false,
        span: Span::default(),
    };
    let thread = Thread { name: "T".to_owned(), func: FuncId(0), args: vec![3, -1] };
    Program { objects: vec![object(0), object(1)], functions, threads: vec![thread], ..Program::default() }
}

/// All that a thread does, with memory that answers each read by another number.
fn run(program: &Program) -> Vec<Action> {
    let machine = Machine::new(program);
    let mut state = machine.start(0);
    let mut done = Vec::new();
    for step in 0.. {
        let action = machine.next(&state);
        let read = (step * 7 % 5) as Value - 1;
        let answer = match action {
            Action::Load { .. } => Answer::Read(read),
            Action::Cas { expected, .. } if expected == read => Answer::Updated(read),
            Action::Cas { .. } => Answer::Read(read),
            Action::Store { .. } => Answer::Done,
            _ => {
                done.push(action);
                break;
            }
        };
        done.push(action);
        machine.resume(&mut state, answer, 0);
    }
    done
}

#[test]
fn inlined_code_does_what_the_calls_did() {
    let mut rng = fastrand::Rng::with_seed(1);
    let types = [Ty::Int, Ty::Int, Ty::Range { lo: 0, hi: 3 }];
    let mut calls = 0;
    for _ in 0..5_000 {
        let functions = (0..3).map(|f| random_function(&mut rng, f + 1..3, &types)).collect();
        let mut program = program(functions);
        let expected = run(&program);
        let inlined = inlined(&program, FuncId(0), usize::MAX).expect("nothing calls itself");
        assert_eq!(inlined.owners.len(), inlined.function.registers.len());
        assert!(!inlined.function.code.iter().any(|inst| matches!(inst, Inst::Call { .. })));
        calls += (inlined.function.code.len() > program.functions[0].code.len()) as u32;
        program.functions[0] = inlined.function;
        assert_eq!(run(&program), expected, "{:?}", program.functions);
    }
    assert!(calls > 500, "only {calls} programs with calls");
}

#[test]
fn what_calls_itself_or_is_too_large_is_not_inlined() {
    let mut rng = fastrand::Rng::with_seed(2);
    let call = |func| Inst::Call { dst: None, func: FuncId(func), args: Vec::new() };
    let mut functions: Vec<Function> = (0..2).map(|_| random_function(&mut rng, 0..0, &[Ty::Int])).collect();
    (functions[0].code, functions[0].spans) = (vec![call(1); 3], vec![Span::default(); 3]);
    let mut program = program(functions);
    assert!(inlined(&program, FuncId(0), 1_000).is_ok());
    assert!(matches!(inlined(&program, FuncId(0), 4), Err(NotInlined::TooLarge(_))));
    program.functions[1].code[0] = call(0);
    assert!(matches!(inlined(&program, FuncId(0), 1_000), Err(NotInlined::Recursion(FuncId(0)))));
}

#[test]
fn tidied_code_does_the_same_with_less() {
    let mut rng = fastrand::Rng::with_seed(3);
    let (mut before, mut after) = (0, 0);
    for _ in 0..10_000 {
        let mut program = program(vec![random_function(&mut rng, 0..0, &[Ty::Int])]);
        let (expected, untidy) = (run(&program), program.functions[0].clone());
        program.functions[0].tidy();
        let tidied = &program.functions[0];
        assert_eq!(tidied.code.len(), tidied.spans.len());
        assert!(tidied.code.len() <= untidy.code.len() && tidied.registers.len() <= untidy.registers.len());
        (before, after) = (before + untidy.code.len(), after + tidied.code.len());
        assert_eq!(run(&program), expected, "{untidy:?}\n{tidied:?}");
    }
    assert!(after < before * 3 / 4, "{before} instructions became {after}");
}

#[test]
fn threaded_jumps_do_the_same() {
    let mut rng = fastrand::Rng::with_seed(4);
    for _ in 0..5_000 {
        let mut program = program(vec![random_function(&mut rng, 0..0, &[Ty::Int, Ty::Range { lo: -1, hi: 4 }])]);
        let expected = run(&program);
        program.functions[0].thread_jumps();
        assert_eq!(run(&program), expected);
    }
}

#[test]
fn a_register_is_live_where_a_path_reads_it_before_it_is_set() {
    let mut rng = fastrand::Rng::with_seed(5);
    for _ in 0..2_000 {
        let mut function = random_function(&mut rng, 0..0, &[Ty::Int]);
        // Loops, which only the runs above cannot have.
        let length = function.code.len() as u32;
        for inst in &mut function.code {
            inst.for_each_target_mut(|target| *target = rng.u32(..=length));
        }
        let liveness = Liveness::of(&function);
        for reg in (0..REGISTERS).map(Reg) {
            for pc in 0..=function.code.len() {
                assert_eq!(
                    liveness.is_live(reg, pc),
                    is_read_later(&function, pc, reg),
                    "{reg:?} at {pc}: {function:?}"
                );
            }
        }
    }
}

fn is_read_later(function: &Function, start: usize, reg: Reg) -> bool {
    let mut seen = vec![false; function.code.len()];
    let mut work = vec![start];
    while let Some(pc) = work.pop() {
        let Some(inst) = function.code.get(pc) else { continue };
        if std::mem::replace(&mut seen[pc], true) {
            continue;
        }
        let (mut reads, mut sets) = (false, false);
        inst.for_each_used(|used| reads |= used == reg);
        inst.for_each_defined(|&defined| sets |= defined == reg);
        if reads {
            return true;
        }
        if !sets {
            inst.for_each_successor(pc, |next| work.extend(next));
        }
    }
    false
}

#[test]
fn arithmetic_is_that_of_numbers_cut_to_a_width() {
    let mut rng = fastrand::Rng::with_seed(6);
    for _ in 0..50_000 {
        let bits = *rng.choice(&[8u8, 16, 32, 64]).expect("some");
        let half = 1i128 << (bits - 1);
        let cut = |wide: i128| ((wide + half).rem_euclid(2 * half) - half) as Value;
        let mut word = || match rng.u8(..4) {
            0 => cut(half + i128::from(rng.i8(-2..3))),
            1 => Value::from(rng.i8(-3..4)),
            _ => cut(i128::from(rng.i64(..))),
        };
        let (a, b) = (word(), word());
        let (x, y) = (i128::from(a), i128::from(b));
        let (ux, uy) = (x.rem_euclid(2 * half), y.rem_euclid(2 * half));
        let too_large = x == -half && y == -1;
        let expected = {
            use ArithmeticOp::*;
            [
                (Add, Some(x + y)),
                (Sub, Some(x - y)),
                (Mul, Some(x * y)),
                (UDiv, ux.checked_div(uy)),
                (URem, ux.checked_rem(uy)),
                (SDiv, x.checked_div(y).filter(|_| !too_large)),
                (SRem, x.checked_rem(y).filter(|_| !too_large)),
                (And, Some(x & y)),
                (Or, Some(x | y)),
                (Xor, Some(x ^ y)),
                (Eq, Some((x == y) as i128)),
                (Ne, Some((x != y) as i128)),
                (ULt, Some((ux < uy) as i128)),
                (ULe, Some((ux <= uy) as i128)),
                (SLt, Some((x < y) as i128)),
                (SLe, Some((x <= y) as i128)),
                (SMulHigh, Some((x * y) >> bits)),
                (UMulHigh, Some(((ux as u128 * uy as u128) >> bits) as i128)),
            ]
        };
        for (op, expected) in expected {
            assert_eq!(op.apply(bits, a, b), expected.map(cut), "{a} {op:?} {b} in {bits} bits");
        }
        let distance = rng.i64(0..Value::from(bits));
        let shifts = [
            (ArithmeticOp::Shl, x << distance),
            (ArithmeticOp::AShr, x >> distance),
            (ArithmeticOp::LShr, ux >> distance),
        ];
        for (op, expected) in shifts {
            assert_eq!(op.apply(bits, a, distance), Some(cut(expected)), "{a} {op:?} {distance} in {bits} bits");
        }
    }
}
