//! A program with declared cells in the flat memory of C.

use fencepost_program::{
    Allocation, ArithmeticOp, Cell, Comparison, FuncId, Function, Global, Inst, Memory, Operand, Ordering, Place,
    Program, Reg, Register, Span, Thread, Ty, Value, memory,
};

/// How threads find the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Their addresses are constants.
    Direct,
    /// From a table of pointers whose address is the thread's argument.
    Argument,
    /// On the heap, through a global table of pointers that `main` fills.
    Heap,
}

impl Style {
    pub const ALL: [Style; 3] = [Style::Direct, Style::Argument, Style::Heap];
}

const DISTANCE: u64 = 0x1000;

/// The same program with `main`, which makes the threads: the first of them `times` times, or for as long as it likes
/// if that is `u32::MAX`.
pub fn flattened(program: &Program, style: Style, times: u32) -> Program {
    let table = memory::GLOBALS + DISTANCE;
    let place = |object: usize| table + DISTANCE * (object as u64 + 1);
    let global = |name: &str, pointer: u64, words: &[Value]| Global {
        name: name.to_owned(),
        pointer,
        bytes: words.iter().flat_map(|word| word.to_le_bytes()).collect(),
        constant: false,
        parts: Vec::new(),
        span: Span::default(),
    };
    let pointers: Vec<Value> = match style {
        Style::Heap => vec![0; program.objects.len()],
        _ => (0..program.objects.len()).map(|object| place(object) as Value).collect(),
    };
    let mut globals = vec![global("table", table, &pointers)];
    for (i, object) in program.objects.iter().enumerate() {
        globals.push(global(&object.name, place(i), &object.init));
    }
    let mut functions = vec![main(program, style, times, table), thread_entry()];
    for function in &program.functions {
        functions.push(flat_function(function, style, table, &place));
    }
    Program {
        sources: program.sources.clone(),
        globals,
        functions,
        threads: vec![Thread { name: "main".to_owned(), func: FuncId(0), args: Vec::new() }],
        thread_entry: Some(FuncId(1)),
        ..Program::default()
    }
}

fn at(pointer: Operand, offset: i32) -> Place {
    Place::Memory(Memory::aligned(pointer, offset, 8))
}

fn constant(word: u64) -> Operand {
    Operand::Const(word as Value)
}

fn emit(function: &mut Function, inst: Inst) {
    function.code.push(inst);
    function.spans.push(Span::default());
}

fn main(program: &Program, style: Style, times: u32, table: u64) -> Function {
    let mut main = Function { name: "main".to_owned(), ..Function::default() };
    let [scratch, thread, more] = [0, 1, 2].map(Reg);
    main.registers = vec![Register::temporary(Ty::Int); 3];
    let order = Ordering::NonAtomic;
    if style == Style::Heap {
        for (i, object) in program.objects.iter().enumerate() {
            let size = Operand::Const(8 * object.init.len() as Value);
            emit(
                &mut main,
                Inst::Alloc {
                    dst: scratch,
                    size,
                    alignment: Operand::Const(1),
                    allocation: Allocation::Zeroed,
                    at: None,
                },
            );
            for (j, &value) in object.init.iter().enumerate() {
                let place = at(Operand::Reg(scratch), 8 * j as i32);
                emit(&mut main, Inst::Store { place, value: Operand::Const(value), order });
            }
            let place = at(constant(table + 8 * i as u64), 0);
            emit(&mut main, Inst::Store { place, value: Operand::Reg(scratch), order });
        }
    }
    let spawn = |main: &mut Function, func: FuncId| {
        let function = constant(memory::function_pointer(func.0 + 2));
        emit(main, Inst::Spawn { dst: Some(thread), function, argument: constant(table) });
        let stride = Operand::Const((memory::start_cell(1) - memory::start_cell(0)) as Value);
        let (a, bits) = (Operand::Reg(thread), 64);
        emit(main, Inst::Arithmetic { dst: scratch, op: ArithmeticOp::Mul, bits, a, b: stride });
        let (a, b) = (Operand::Reg(scratch), constant(memory::start_cell(0)));
        emit(main, Inst::Arithmetic { dst: scratch, op: ArithmeticOp::Add, bits, a, b });
        let (place, value) = (at(Operand::Reg(scratch), 0), Operand::Const(1));
        emit(main, Inst::Store { place, value, order: Ordering::Release });
    };
    for thread in program.threads.iter().skip(1) {
        spawn(&mut main, thread.func);
    }
    let again = main.code.len() as u32;
    if let Some(first) = program.threads.first() {
        for _ in 0..if times == u32::MAX { 1 } else { times } {
            spawn(&mut main, first.func);
        }
    }
    if times == u32::MAX {
        emit(&mut main, Inst::Choose { dst: more, lo: 0, hi: 1 });
        let after = main.code.len() as u32 + 1;
        emit(&mut main, Inst::Branch { cond: Operand::Reg(more), yes: again, no: after });
    }
    main
}

/// Waits for the word that tells that it may start, then calls the function.
fn thread_entry() -> Function {
    let mut entry = Function { name: "start of a thread".to_owned(), params: 2, ..Function::default() };
    entry.registers = vec![Register::temporary(Ty::Int); 3];
    let [function, argument, words] = [0, 1, 2].map(Reg);
    emit(&mut entry, Inst::CurrentThread { dst: words });
    let stride = Operand::Const((memory::start_cell(1) - memory::start_cell(0)) as Value);
    emit(
        &mut entry,
        Inst::Arithmetic { dst: words, op: ArithmeticOp::Mul, bits: 64, a: Operand::Reg(words), b: stride },
    );
    let first = constant(memory::start_cell(0));
    emit(
        &mut entry,
        Inst::Arithmetic { dst: words, op: ArithmeticOp::Add, bits: 64, a: Operand::Reg(words), b: first },
    );
    let (place, comparison, value) = (at(Operand::Reg(words), 0), Comparison::Eq, Operand::Const(1));
    emit(&mut entry, Inst::Wait { dst: None, place, comparison, value, order: Ordering::Acquire });
    let args = vec![Operand::Reg(argument)];
    emit(&mut entry, Inst::CallPointer { dst: None, target: Operand::Reg(function), args });
    entry
}

/// The function with one parameter more, and pointers in place of cells.
fn flat_function(function: &Function, style: Style, table: u64, place: &dyn Fn(usize) -> u64) -> Function {
    let mut flat = Function { name: function.name.clone(), params: 1 + function.params, ..Function::default() };
    flat.registers.push(Register::variable("table", Ty::Int));
    flat.registers.extend(function.registers.iter().cloned());
    let (pointer, index) = (Reg(flat.registers.len() as u32), Reg(flat.registers.len() as u32 + 1));
    flat.registers.extend(["pointer", "index"].map(|name| Register::variable(name, Ty::Int)));
    // Registers of C start with anything.
    for register in 1 + function.params..1 + function.registers.len() as u32 {
        emit(&mut flat, Inst::Copy { dst: Reg(register), a: Operand::Const(0) });
    }
    let mut starts = Vec::new();
    for (inst, &span) in function.code.iter().zip(&function.spans) {
        starts.push(flat.code.len() as u32);
        let mut inst = inst.clone();
        inst.rename_registers(|Reg(r)| Reg(r + 1));
        if let Some(old) = inst.place_mut()
            && let Place::Cell(Cell { object, index: i }) = *old
        {
            let base = match style {
                Style::Direct => constant(place(object.0 as usize)),
                Style::Argument => Operand::Reg(pointer),
                Style::Heap => Operand::Reg(pointer),
            };
            let start = match style {
                Style::Direct => None,
                Style::Argument => Some(at(Operand::Reg(Reg(0)), 8 * object.0 as i32)),
                Style::Heap => Some(at(constant(table + 8 * u64::from(object.0)), 0)),
            };
            let before = flat.code.len();
            if let Some(start) = start {
                emit(&mut flat, Inst::Load { dst: Some(pointer), place: start, order: Ordering::NonAtomic });
            }
            *old = match i {
                Operand::Const(i) => at(base, 8 * i as i32),
                Operand::Reg(_) => {
                    let (eight, bits) = (Operand::Const(8), 64);
                    emit(&mut flat, Inst::Arithmetic { dst: index, op: ArithmeticOp::Mul, bits, a: i, b: eight });
                    let a = Operand::Reg(index);
                    emit(&mut flat, Inst::Arithmetic { dst: index, op: ArithmeticOp::Add, bits, a, b: base });
                    at(Operand::Reg(index), 0)
                }
            };
            flat.spans[before..].fill(span);
        }
        flat.code.push(inst);
        flat.spans.push(span);
    }
    starts.push(flat.code.len() as u32);
    for inst in &mut flat.code {
        inst.for_each_target_mut(|target| *target = starts[(*target as usize).min(starts.len() - 1)]);
    }
    flat
}
