//! Random programs whose threads create and join each other, as C programs do: `.fp` has no such threads.

use fastrand::Rng;
use fencepost_program::{
    Address, ArithmeticOp, Cell, Comparison, FileId, FuncId, Function, Inst, Memory, Object, ObjectId, Operand,
    Ordering, Place, Program, Reg, Register, Span, Thread, Ty, UpdateOp, Value, memory,
};

/// Threads by number. The first is there from the start; each of the others is created once, and joined at most once,
/// by one with a lower number.
#[derive(Clone, Debug)]
pub struct Family {
    pub threads: Vec<Vec<Step>>,
}

#[derive(Clone, Copy, Debug)]
pub enum Step {
    Write(Location, Value),
    Read(Location),
    Exchange(Location, Value),
    Create(usize),
    Join(usize),
}

impl Step {
    fn is_access(self) -> bool {
        matches!(self, Step::Write(..) | Step::Read(_) | Step::Exchange(..))
    }
}

pub type Location = usize;

const LOCATIONS: usize = 2;

/// Which orderings all accesses have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    Relaxed,
    /// Relaxed accesses with an SC fence after each.
    ScFences,
    ScAccesses,
}

/// `main` writes, its children access what it wrote, and it reads after it has joined them; a child may have one of its
/// own.
pub fn random_family(seed: u64) -> Family {
    let mut rng = Rng::with_seed(seed);
    let mut value = 0;
    let children = rng.usize(2..=3);
    let mut threads = vec![Vec::new()];
    threads[0].extend((0..rng.usize(0..=2)).map(|_| write(&mut rng, &mut value)));
    for child in 1..=children {
        threads[0].push(Step::Create(child));
        if rng.u32(..100) < 15 {
            threads[0].push(access(&mut rng, &mut value));
        }
        let accesses = rng.usize(1..=if children == 2 { 3 } else { 2 });
        threads.push((0..accesses).map(|_| access(&mut rng, &mut value)).collect());
    }
    if rng.u32(..100) < 25 {
        let (parent, grandchild) = (rng.usize(1..=children), threads.len());
        let mut accesses = vec![access(&mut rng, &mut value)];
        accesses.extend((rng.bool()).then(|| access(&mut rng, &mut value)));
        threads.push(accesses);
        let at = rng.usize(..=threads[parent].len());
        threads[parent].insert(at, Step::Create(grandchild));
        if rng.bool() {
            let at = rng.usize(at + 1..=threads[parent].len());
            threads[parent].insert(at, Step::Join(grandchild));
        }
    }
    for child in (1..=children).filter(|_| rng.u32(..100) < 80) {
        threads[0].push(Step::Join(child));
    }
    for location in 0..LOCATIONS {
        if rng.bool() {
            threads[0].push(Step::Read(location));
        }
    }
    Family { threads }
}

fn write(rng: &mut Rng, value: &mut Value) -> Step {
    *value += 1;
    Step::Write(rng.usize(..LOCATIONS), *value)
}

fn access(rng: &mut Rng, value: &mut Value) -> Step {
    match rng.u32(..100) {
        0..50 => write(rng, value),
        50..58 => {
            *value += 1;
            Step::Exchange(rng.usize(..LOCATIONS), *value)
        }
        _ => Step::Read(rng.usize(..LOCATIONS)),
    }
}

impl Family {
    pub fn accesses(&self) -> usize {
        self.threads.iter().flatten().filter(|step| step.is_access()).count()
    }

    pub fn has_updates(&self) -> bool {
        self.threads.iter().flatten().any(|step| matches!(step, Step::Exchange(..)))
    }

    /// The program, in which the lines of reads tell them apart.
    pub fn program(&self, strength: Strength) -> Program {
        let object = |number: usize| Object {
            name: ["x", "y"][number].to_owned(),
            first: Address(number as u64),
            init: vec![0],
            ty: Ty::Int,
            atomic: true,
            array: false,
            span: Span::default(),
        };
        let bodies = self.threads.iter().enumerate().map(|(number, steps)| body(number, steps, strength));
        let mut functions: Vec<Function> = bodies.collect();
        let entry = FuncId(functions.len() as u32);
        functions.push(thread_entry());
        Program {
            objects: (0..LOCATIONS).map(object).collect(),
            functions,
            threads: vec![Thread { name: "main".to_owned(), func: FuncId(0), args: Vec::new() }],
            thread_entry: Some(entry),
            ..Program::default()
        }
    }
}

const CREATED: Reg = Reg(1);
const CELLS: Reg = Reg(2);

fn body(number: usize, steps: &[Step], strength: Strength) -> Function {
    let mut function = Function { name: format!("t{number}"), params: 1, ..Function::default() };
    // The argument, the last thread that it created, that thread's cells, and by thread the number that it got.
    function.registers = vec![Register::temporary(Ty::Int); 3 + 16];
    let order = if strength == Strength::ScAccesses { Ordering::SeqCst } else { Ordering::Relaxed };
    let place = |location: Location| Place::Cell(Cell { object: ObjectId(location as u32), index: Operand::Const(0) });
    let handle = |thread: usize| Reg(3 + thread as u32);
    for (i, &step) in steps.iter().enumerate() {
        let line = (100 * (number + 1) + i) as u32;
        let mut emit = |inst| {
            function.code.push(inst);
            function.spans.push(Span { file: FileId(0), line, column: 1, length: 1 });
        };
        match step {
            Step::Write(at, value) => emit(Inst::Store { place: place(at), value: Operand::Const(value), order }),
            Step::Read(at) => emit(Inst::Load { dst: None, place: place(at), order }),
            Step::Exchange(at, value) => {
                let operand = Operand::Const(value);
                let op = UpdateOp::Exchange;
                emit(Inst::Rmw { dst: None, place: place(at), op, operand, order, when: None });
            }
            Step::Create(child) => {
                let function = Operand::Const(memory::function_pointer(child as u32) as Value);
                emit(Inst::Spawn { dst: Some(CREATED), function, argument: Operand::Const(0) });
                find_cells(Operand::Reg(CREATED), &mut emit);
                let plus = ArithmeticOp::Add;
                let (a, b, bits) = (Operand::Reg(CELLS), Operand::Const(0), 64);
                emit(Inst::Arithmetic { dst: handle(child), op: plus, bits, a, b });
                let (place, value) = (cell(CELLS, memory::start_cell(0)), Operand::Const(1));
                emit(Inst::Store { place, value, order: Ordering::Release });
            }
            Step::Join(child) => emit(Inst::Wait {
                dst: None,
                place: cell(handle(child), memory::end_cell(0)),
                comparison: Comparison::Eq,
                value: Operand::Const(1),
                order: Ordering::Acquire,
            }),
        }
        if step.is_access() && strength == Strength::ScFences {
            emit(Inst::Fence { order: Ordering::SeqCst });
        }
    }
    function
}

/// A word of a thread, given where its words start.
fn cell(words: Reg, which: u64) -> Place {
    let offset = (which - memory::start_cell(0)) as i32;
    Place::Memory(Memory::aligned(Operand::Reg(words), offset, 8))
}

/// Where the words of a thread start.
fn find_cells(thread: Operand, emit: &mut impl FnMut(Inst)) {
    let stride = Operand::Const((memory::start_cell(1) - memory::start_cell(0)) as Value);
    emit(Inst::Arithmetic { dst: CELLS, op: ArithmeticOp::Mul, bits: 64, a: thread, b: stride });
    let (a, b) = (Operand::Reg(CELLS), Operand::Const(memory::start_cell(0) as Value));
    emit(Inst::Arithmetic { dst: CELLS, op: ArithmeticOp::Add, bits: 64, a, b });
}

/// What a created thread runs: it waits until it may start, calls its function, and tells that it has ended.
fn thread_entry() -> Function {
    let mut entry = Function { name: "start of a thread".to_owned(), params: 2, ..Function::default() };
    entry.registers = vec![Register::temporary(Ty::Int); 4];
    let [function, argument] = [Reg(0), Reg(1)];
    let mut emit = |inst| {
        entry.code.push(inst);
        entry.spans.push(Span::default());
    };
    emit(Inst::CurrentThread { dst: Reg(3) });
    find_cells(Operand::Reg(Reg(3)), &mut emit);
    let (comparison, value, order) = (Comparison::Eq, Operand::Const(1), Ordering::Acquire);
    emit(Inst::Wait { dst: None, place: cell(CELLS, memory::start_cell(0)), comparison, value, order });
    emit(Inst::CallPointer { dst: None, target: Operand::Reg(function), args: vec![Operand::Reg(argument)] });
    emit(Inst::Store { place: cell(CELLS, memory::end_cell(0)), value, order: Ordering::Release });
    entry
}
