//! Heap errors are those of their definition, over all graphs of random programs.
//!
//! The definition is asked about the same program with marks in place of the heap's events: a write to the object's third word
//! where it is allocated, and one to its second word where it is freed. Accesses are to the first word.

use fastrand::Rng;
use fencepost_explore::{Options, count, explore};
use fencepost_graph::{EventId, Graph, Relations};
use fencepost_models::Model;
use fencepost_program::{
    Address, Allocation, Cell, FuncId, Function, Inst, Memory, Object, ObjectId, Operand, Ordering, Place, Program,
    Reg, Span, Thread, Ty, UpdateOp,
};
use fencepost_report::{Outcome, ViolationKind};

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
}

fn random_thread(random: &mut Rng) -> Vec<Step> {
    let reading = [Ordering::Relaxed, Ordering::Acquire];
    let mut step = || {
        let variable = random.u32(..2);
        let read = reading[random.usize(..2)];
        match random.u8(..6) {
            0 | 1 => Step::Publish(variable, [Ordering::Relaxed, Ordering::Release][random.usize(..2)]),
            2 => Step::Read(variable, read),
            3 => Step::Write(variable, read),
            4 => Step::Free(variable, read),
            _ => Step::TakeAndFree(variable, [Ordering::Relaxed, Ordering::AcqRel][random.usize(..2)]),
        }
    };
    (0..3).map(|_| step()).collect()
}

fn function(steps: &[Step], marks: bool) -> Function {
    let pointer = Reg(0);
    let variable = |index: u32| Place::Cell(Cell { object: ObjectId(index), index: Operand::Const(0) });
    let word = |offset| Place::Memory(Memory { pointer: Operand::Reg(pointer), offset, size: 8, copied: false });
    let mark = |offset| Inst::Store { place: word(offset), value: Operand::Const(1), order: Ordering::NonAtomic };
    let free = if marks { mark(FREED) } else { Inst::Free { pointer: Operand::Reg(pointer) } };
    let relaxed = Ordering::Relaxed;
    let mut code = Vec::new();
    for &step in steps {
        let (read, used) = match step {
            Step::Publish(index, order) => {
                let (size, allocation) = (Operand::Const(24), Allocation::Zeroed);
                code.push(Inst::Alloc { dst: pointer, size, allocation });
                code.extend(marks.then(|| mark(ALLOCATED)));
                code.push(Inst::Store { place: variable(index), value: Operand::Reg(pointer), order });
                continue;
            }
            Step::Read(index, order) => {
                let load = Inst::Load { dst: None, place: word(0), order: relaxed };
                (Inst::Load { dst: Some(pointer), place: variable(index), order }, load)
            }
            Step::Write(index, order) => {
                let store = Inst::Store { place: word(0), value: Operand::Const(2), order: relaxed };
                (Inst::Load { dst: Some(pointer), place: variable(index), order }, store)
            }
            Step::Free(index, order) => {
                (Inst::Load { dst: Some(pointer), place: variable(index), order }, free.clone())
            }
            Step::TakeAndFree(index, order) => {
                let (op, operand) = (UpdateOp::Exchange, Operand::Const(0));
                (Inst::Rmw { dst: Some(pointer), place: variable(index), op, operand, order }, free.clone())
            }
        };
        code.push(read);
        let next = code.len() as u32 + 1;
        code.push(Inst::Branch { cond: Operand::Reg(pointer), yes: next, no: next + 1 });
        code.push(used);
    }
    let spans = vec![Span::default(); code.len()];
    Function { registers: vec![("pointer".to_owned(), Ty::Int)], code, spans, ..Function::default() }
}

fn program(threads: &[Vec<Step>], marks: bool) -> Program {
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
        functions: threads.iter().map(|steps| function(steps, marks)).collect(),
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

/// Whether an access or a `free` of an object does not come after its allocation and before every other `free`.
fn misuses_the_heap(graph: &Graph, model: Model) -> bool {
    let hb = model.hb(&Relations::of(graph));
    let touches = touches(graph);
    touches.iter().any(|&(user, object, word)| {
        let others = touches.iter().filter(|&&(other, of, _)| of == object && other != user);
        word != ALLOCATED
            && others.clone().any(|&(other, _, word)| match word {
                ALLOCATED => !hb.contains(other, user),
                FREED => !hb.contains(user, other),
                _ => false,
            })
    })
}

#[test]
fn a_heap_error_is_found_if_and_only_if_some_graph_has_one() {
    let programs = std::env::var("FENCEPOST_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000);
    let mut random = Rng::with_seed(5);
    let (mut wrong, mut right) = (0, 0);
    for _ in 0..programs {
        let threads: Vec<Vec<Step>> = (0..random.usize(2..4)).map(|_| random_thread(&mut random)).collect();
        for model in [Model::Rc11, Model::Ra, Model::Sc, Model::Jam21] {
            let mut expected = false;
            let all = Options { races: false, assertions: false, ..Options::new(model) };
            explore(&program(&threads, true), &all, &Default::default(), |execution| {
                expected |= !expected && misuses_the_heap(&execution.graph(), model);
            });
            let options = Options { races: false, ..Options::new(model) };
            let found = count(&program(&threads, false), &options, &Default::default()).verdict;
            let kind = found.violations.first().map(|violation| violation.kind);
            assert!(matches!(kind, None | Some(ViolationKind::UseAfterFree | ViolationKind::InvalidFree)), "{kind:?}");
            assert_eq!(found.outcome == Outcome::Violated, expected, "{model}: {kind:?} {threads:#?}");
            *if expected { &mut wrong } else { &mut right } += 1;
        }
    }
    assert!(wrong > programs && right > programs / 2, "{wrong} wrong, {right} right");
}

/// Whether some event on one of the words, and a `free` of the same object, are not ordered either way.
fn is_freed_meanwhile(graph: &Graph, words: &[i32]) -> bool {
    let hb = Model::Rc11.hb(&Relations::of(graph));
    let touches = touches(graph);
    let unordered = |a: EventId, b: EventId| a != b && !hb.contains(a, b) && !hb.contains(b, a);
    touches.iter().filter(|(_, _, word)| words.contains(word)).any(|&(user, object, _)| {
        touches.iter().any(|&(free, of, word)| word == FREED && of == object && unordered(user, free))
    })
}

/// `check` takes a `free` for a plain write to all of the object that is ever accessed.
#[test]
fn check_finds_what_is_freed_while_it_is_in_use_in_some_interleaving() {
    use fencepost_check::{Options as Checking, Properties, check};
    let programs = std::env::var("FENCEPOST_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000);
    let mut random = Rng::with_seed(6);
    let (mut wrong, mut right) = (0, 0);
    for _ in 0..programs {
        let threads: Vec<Vec<Step>> = (0..random.usize(2..4)).map(|_| random_thread(&mut random)).collect();
        let (mut used, mut used_or_freed) = (false, false);
        let all = Options { races: false, assertions: false, ..Options::new(Model::Sc) };
        explore(&program(&threads, true), &all, &Default::default(), |execution| {
            let graph = execution.graph();
            used |= is_freed_meanwhile(&graph, &[0]);
            used_or_freed |= is_freed_meanwhile(&graph, &[0, FREED]);
        });
        let properties = Properties { robustness: false, races: true, assertions: false, deadlocks: false };
        for closure in [0, Checking::default().closure] {
            let options = Checking { properties, closure, ..Checking::default() };
            let found = check(&program(&threads, false), &options, &Default::default()).expect("a program for RC11");
            let violated = found.outcome == Outcome::Violated;
            assert!(violated || found.outcome == Outcome::Holds, "{:?}", found.outcome);
            assert!(violated || !used, "missed: {threads:#?}");
            assert!(used_or_freed || !violated, "{:?} in {threads:#?}", found.violations[0].message);
        }
        *if used { &mut wrong } else { &mut right } += 1;
    }
    assert!(wrong > programs / 10 && right > programs / 10, "{wrong} wrong, {right} right");
}
