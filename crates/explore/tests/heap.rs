//! Heap errors are those of their definition, over all graphs of random programs.
//!
//! The definition is asked about the same program with marks in place of the heap's events: a write to the object's
//! third word where it is allocated, and one to its second word where it is freed. Accesses are to the first word.

use fastrand::Rng;
use fencepost_explore::{Options, count, explore};
use fencepost_graph::{EventId, Graph, Relations};
use fencepost_models::Model;
use fencepost_program::{
    Address, Allocation, Cell, FuncId, Function, Inst, Memory, Object, ObjectId, Operand, Ordering, Place, Program,
    Reg, Register, Span, Thread, Ty, UpdateOp,
};
use fencepost_story::{FindingKind, Outcome, Properties, Reason};
use fencepost_testing::trials;

const FREED: i32 = 8;
const ALLOCATED: i32 = 16;
/// Objects on the heap start at multiples of this.
const STRIDE: u64 = 256;

/// What a thread does with the object that a shared variable points to.
#[derive(Clone, Copy, Debug)]
enum Step {
    Publish(u32, Ordering),
    Read(u32, Ordering),
    Write(u32, Ordering),
    Free(u32, Ordering),
    /// Takes the pointer away first.
    TakeAndFree(u32, Ordering),
    /// Frees the object, allocates another one in the same memory, and stores its pointer in the same variable.
    Reuse(u32, Ordering, Ordering),
}

fn random_thread(random: &mut Rng) -> Vec<Step> {
    let reading = [Ordering::Relaxed, Ordering::Acquire];
    let mut step = || {
        let variable = random.u32(..2);
        let read = reading[random.usize(..2)];
        let write = [Ordering::Relaxed, Ordering::Release][random.usize(..2)];
        match random.u8(..8) {
            0 | 1 => Step::Publish(variable, write),
            2 => Step::Read(variable, read),
            3 => Step::Write(variable, read),
            4 => Step::Free(variable, read),
            5 | 6 => Step::Reuse(variable, read, write),
            _ => Step::TakeAndFree(variable, [Ordering::Relaxed, Ordering::AcqRel][random.usize(..2)]),
        }
    };
    (0..3).map(|_| step()).collect()
}

/// Sizes and kinds of the objects that a thread allocates, in turn.
type Shapes = [(i64, Allocation)];

fn function(steps: &[Step], marks: bool, shapes: &Shapes) -> Function {
    let pointer = Reg(0);
    let variable = |index: u32| Place::Cell(Cell { object: ObjectId(index), index: Operand::Const(0) });
    let word = |offset| Place::Memory(Memory::aligned(Operand::Reg(pointer), offset, 8));
    let mark = |offset| Inst::Store { place: word(offset), value: Operand::Const(1), order: Ordering::NonAtomic };
    let free = if marks { mark(FREED) } else { Inst::Free { pointer: Operand::Reg(pointer) } };
    let relaxed = Ordering::Relaxed;
    let first = shapes[0];
    let mut shapes = shapes.iter().cycle().copied();
    let mut code = Vec::new();
    for &step in steps {
        let (read, used): (Inst, Vec<Inst>) = match step {
            Step::Publish(index, order) => {
                let (size, allocation) = shapes.next().expect("a shape");
                let size = Operand::Const(size);
                code.push(Inst::Alloc { dst: pointer, size, alignment: Operand::Const(1), allocation, at: None });
                code.extend(marks.then(|| mark(ALLOCATED)));
                code.push(Inst::Store { place: variable(index), value: Operand::Reg(pointer), order });
                continue;
            }
            Step::Read(index, order) => {
                let load = Inst::Load { dst: None, place: word(0), order: relaxed };
                (Inst::Load { dst: Some(pointer), place: variable(index), order }, vec![load])
            }
            Step::Write(index, order) => {
                let store = Inst::Store { place: word(0), value: Operand::Const(2), order: relaxed };
                (Inst::Load { dst: Some(pointer), place: variable(index), order }, vec![store])
            }
            Step::Free(index, order) => {
                (Inst::Load { dst: Some(pointer), place: variable(index), order }, vec![free.clone()])
            }
            Step::TakeAndFree(index, order) => {
                let (op, operand) = (UpdateOp::Exchange, Operand::Const(0));
                (
                    Inst::Rmw { dst: Some(pointer), place: variable(index), op, operand, order, when: None },
                    vec![free.clone()],
                )
            }
            Step::Reuse(index, read, write) => {
                let begin = match marks {
                    true => mark(ALLOCATED),
                    false => Inst::Alloc {
                        dst: pointer,
                        size: Operand::Const(first.0),
                        alignment: Operand::Const(1),
                        allocation: first.1,
                        at: Some(Operand::Reg(pointer)),
                    },
                };
                let publish = Inst::Store { place: variable(index), value: Operand::Reg(pointer), order: write };
                let load = Inst::Load { dst: Some(pointer), place: variable(index), order: read };
                (load, vec![free.clone(), begin, publish])
            }
        };
        code.push(read);
        let next = code.len() as u32 + 1;
        code.push(Inst::Branch { cond: Operand::Reg(pointer), yes: next, no: next + used.len() as u32 });
        code.extend(used);
    }
    let spans = vec![Span::default(); code.len()];
    Function { registers: vec![Register::variable("pointer", Ty::Int)], code, spans, ..Function::default() }
}

fn program(threads: &[Vec<Step>], marks: bool) -> Program {
    program_of(threads, marks, &[(24, Allocation::Zeroed)])
}

fn program_of(threads: &[Vec<Step>], marks: bool, shapes: &Shapes) -> Program {
    let object = |index: u32| Object {
        name: format!("shared{index}"),
        first: Address(u64::from(index)),
        init: vec![0],
        ty: Ty::Int,
        atomic: true,
        array: false,
        span: Span::default(),
    };
    let thread = |index: usize| Thread { name: format!("t{index}"), func: FuncId(index as u32), args: Vec::new() };
    Program {
        objects: (0..2).map(object).collect(),
        functions: threads.iter().map(|steps| function(steps, marks, shapes)).collect(),
        threads: (0..threads.len()).map(thread).collect(),
        ..Program::default()
    }
}

/// What touches an object: the object, and which of its words.
fn touches(graph: &Graph) -> Vec<(EventId, u64, i32)> {
    let events = graph.events().filter(|(_, event)| event.thread.is_some());
    let touched = events.filter_map(|(id, event)| {
        let (pointer, _) = event.label.address?.pointer_and_size()?;
        Some((id, pointer / STRIDE, (pointer % STRIDE) as i32))
    });
    touched.collect()
}

/// Whether an access or a `free` of an object does not come after an allocation of it and before every other `free` in
/// the same life of the object. The life that an event belongs to began with the last allocation that happens before
/// it.
fn misuses_the_heap(graph: &Graph, model: Model) -> bool {
    let hb = model.hb(&Relations::of(graph));
    let touches = touches(graph);
    let of = |object: u64, which: i32| {
        touches.iter().filter(move |&&(_, of, word)| of == object && word == which).map(|&(id, ..)| id)
    };
    let life = |user: EventId, object: u64| {
        let before = of(object, ALLOCATED).filter(|&alloc| hb.contains(alloc, user));
        before.reduce(|last, alloc| if hb.contains(last, alloc) { alloc } else { last })
    };
    touches.iter().filter(|&&(.., word)| word != ALLOCATED).any(|&(user, object, _)| {
        let Some(mine) = life(user, object) else { return true };
        let mut others = of(object, FREED).filter(|&free| free != user && life(free, object) == Some(mine));
        others.any(|free| !hb.contains(user, free))
    })
}

#[test]
fn a_heap_error_is_found_if_and_only_if_some_graph_has_one() {
    let programs = trials(300);
    let mut random = Rng::with_seed(5);
    let (mut wrong, mut right) = (0, 0);
    for _ in 0..programs {
        let threads: Vec<Vec<Step>> = (0..random.usize(2..4)).map(|_| random_thread(&mut random)).collect();
        for model in [Model::Rc11, Model::Ra, Model::Sc, Model::Jam21] {
            let mut expected = false;
            let all = Options { properties: Properties::NONE, ..Options::new(model) };
            explore(&program(&threads, true), &all, &Default::default(), |execution| {
                expected |= !expected && misuses_the_heap(&execution.graph(), model);
            })
            .unwrap();
            let options = Options { properties: Properties { races: false, ..Properties::ALL }, ..Options::new(model) };
            let found = count(&program(&threads, false), &options, &Default::default()).unwrap().verdict;
            let kind = found.violations.first().map(|violation| violation.kind);
            assert!(matches!(kind, None | Some(FindingKind::UseAfterFree | FindingKind::InvalidFree)), "{kind:?}");
            assert_eq!(found.outcome == Outcome::Violated, expected, "{model}: {kind:?} {threads:#?}");
            *if expected { &mut wrong } else { &mut right } += 1;
        }
    }
    assert!(wrong > programs && right > programs / 2, "{wrong} wrong, {right} right");
}

/// `check` takes the life of an object for a location, which its allocation and its `free` write, and accesses read.
#[test]
fn check_finds_a_heap_error_if_and_only_if_some_interleaving_has_one() {
    let programs = trials(1_000);
    let mut random = Rng::with_seed(6);
    let (mut wrong, mut right) = (0, 0);
    for _ in 0..programs {
        let threads: Vec<Vec<Step>> = (0..random.usize(2..4)).map(|_| random_thread(&mut random)).collect();
        let mut expected = false;
        let all = Options { properties: Properties::NONE, ..Options::new(Model::Sc) };
        explore(&program(&threads, true), &all, &Default::default(), |execution| {
            expected |= !expected && misuses_the_heap(&execution.graph(), Model::Sc);
        })
        .unwrap();
        for found in checked(&program(&threads, false)) {
            assert_eq!(found, expected, "{threads:#?}");
        }
        *if expected { &mut wrong } else { &mut right } += 1;
    }
    assert!(wrong > programs / 10 && right > programs / 10, "{wrong} wrong, {right} right");
}

/// Objects may be too small for the accesses, and hold nothing at first.
#[test]
fn check_finds_errors_of_memory_where_an_exploration_of_interleavings_does() {
    let programs = trials(1_000);
    let mut random = Rng::with_seed(8);
    let (mut wrong, mut right) = (0, 0);
    for _ in 0..programs {
        let threads: Vec<Vec<Step>> = (0..random.usize(1..4)).map(|_| random_thread(&mut random)).collect();
        let mut shape = || {
            let size = if random.u8(..6) == 0 { 4 } else { 8 };
            (size, [Allocation::Uninitialised, Allocation::Zeroed, Allocation::Zeroed][random.usize(..3)])
        };
        let program = program_of(&threads, false, &[shape(), shape(), shape()]);
        let options = Options { properties: Properties { races: false, ..Properties::ALL }, ..Options::new(Model::Sc) };
        let expected = count(&program, &options, &Default::default()).unwrap().verdict.outcome == Outcome::Violated;
        for found in checked(&program) {
            assert_eq!(found, expected, "{threads:#?}");
        }
        *if expected { &mut wrong } else { &mut right } += 1;
    }
    assert!(wrong > programs / 10 && right > programs / 10, "{wrong} wrong, {right} right");
}

/// Whether `check` finds an error of memory: with what threads can do found along the search, in advance, and one
/// location at a time.
fn checked(program: &Program) -> [bool; 3] {
    use fencepost_check::{Options, check};
    let properties = Properties { assertions: true, ..Properties::NONE };
    let usual = Options { properties, ..Options::default() };
    let ways = [Options { closure: 0, ..usual.clone() }, usual.clone(), Options { together: 0, ..usual }];
    ways.map(|options| {
        let found = check(program, &options, &Default::default()).expect("a program for RC11");
        let nothing = matches!(found.outcome, Outcome::Unknown(Reason::NoExecution(_)));
        assert!(nothing || !matches!(found.outcome, Outcome::Unknown(_)), "{:?}", found.outcome);
        found.outcome == Outcome::Violated
    })
}
