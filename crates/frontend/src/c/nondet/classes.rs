//! Which values of a number a function can tell apart. If it only compares the number with constants, one value of each
//! class is as good as all of them.

use fencepost_llvm::{Callee, ConstantKind, Function, IntPredicate, LocalId, Module, Op, Operand};
use fencepost_program::{ArithmeticOp, Value as Word, memory};
use hashbrown::{HashMap, HashSet};

use crate::c::conventions;
use crate::c::escape::{Storage, for_each_local};

/// A comparison of a word, of which some bits count, with a constant.
#[derive(Clone, Copy)]
struct Comparison {
    predicate: IntPredicate,
    with: Word,
}

/// More classes are not tried one by one.
const MOST_CLASSES: usize = 8;

/// One value of each class that the function tells apart, or `None` if it may tell apart more.
pub(super) fn representatives(
    module: &Module,
    function: &Function,
    storage: &HashMap<LocalId, Storage>,
    number: LocalId,
    bits: u32,
) -> Option<Vec<Word>> {
    of_numbers(module, function, storage, vec![number], bits)
}

/// The same for what is read from a variable.
pub(super) fn representatives_of_variable(
    module: &Module,
    function: &Function,
    storage: &HashMap<LocalId, Storage>,
    variable: LocalId,
    bits: u32,
) -> Option<Vec<Word>> {
    of_numbers(module, function, storage, loads(function, variable).collect(), bits)
}

fn of_numbers(
    module: &Module,
    function: &Function,
    storage: &HashMap<LocalId, Storage>,
    numbers: Vec<LocalId>,
    bits: u32,
) -> Option<Vec<Word>> {
    let comparisons = comparisons(module, function, storage, numbers)?;
    let signed = |value: Word| memory::sign_extended(value, bits);
    // Between two neighbouring constants, all values compare alike.
    let edges = [0, -1, 1 << (bits - 1), Word::MAX >> (64 - bits)];
    let near = comparisons.iter().flat_map(|comparison| [0, 1, -1].map(|step| comparison.with.wrapping_add(step)));
    let mut candidates: Vec<Word> = edges.into_iter().chain(near).map(signed).collect();
    candidates.sort_by_key(|value| (value.unsigned_abs(), *value < 0));
    let mut classes = HashSet::new();
    let class = |value: Word| comparisons.iter().map(|comparison| comparison.holds(value, bits)).collect::<Vec<_>>();
    candidates.retain(|&value| classes.insert(class(value)));
    (candidates.len() <= MOST_CLASSES).then_some(candidates)
}

impl Comparison {
    fn holds(self, value: Word, bits: u32) -> bool {
        let (a, b) = (value, memory::sign_extended(self.with, bits));
        let (op, a, b) = match self.predicate {
            IntPredicate::Eq => (ArithmeticOp::Eq, a, b),
            IntPredicate::Ne => (ArithmeticOp::Ne, a, b),
            IntPredicate::Ult => (ArithmeticOp::ULt, a, b),
            IntPredicate::Ule => (ArithmeticOp::ULe, a, b),
            IntPredicate::Ugt => (ArithmeticOp::ULt, b, a),
            IntPredicate::Uge => (ArithmeticOp::ULe, b, a),
            IntPredicate::Slt => (ArithmeticOp::SLt, a, b),
            IntPredicate::Sle => (ArithmeticOp::SLe, a, b),
            IntPredicate::Sgt => (ArithmeticOp::SLt, b, a),
            IntPredicate::Sge => (ArithmeticOp::SLe, b, a),
        };
        op.apply(bits as u8, a, b) == Some(1)
    }
}

/// All comparisons of numbers that are the same, if nothing else is done with them.
fn comparisons(
    module: &Module,
    function: &Function,
    storage: &HashMap<LocalId, Storage>,
    mut followed: Vec<LocalId>,
) -> Option<Vec<Comparison>> {
    let mut found = Vec::new();
    let mut next = 0;
    while let Some(&local) = followed.get(next) {
        next += 1;
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            let mut uses = false;
            for_each_local(&instruction.op, |used| uses |= used == local);
            if !uses {
                continue;
            }
            match &instruction.op {
                Op::ICmp { predicate, a, b, .. } => {
                    let (predicate, other) = match *a == Operand::Local(local) {
                        true => (*predicate, b),
                        false => (swapped(*predicate), a),
                    };
                    found.push(Comparison { predicate, with: integer(module, other)? });
                }
                Op::Switch { cases, .. } => {
                    for (case, _) in cases {
                        found.push(Comparison { predicate: IntPredicate::Eq, with: integer(module, case)? });
                    }
                }
                Op::Store { value, pointer: Operand::Local(slot), .. }
                    if *value == Operand::Local(local) && matches!(storage.get(slot), Some(Storage::Register(_))) =>
                {
                    followed.extend(loads(function, *slot).filter(|load| !followed.contains(load)).collect::<Vec<_>>());
                }
                Op::Call(call) => {
                    let Callee::Symbol(name) = call.callee else { return None };
                    if !conventions::asks_whether(module.name(name)) {
                        return None;
                    }
                    found.push(Comparison { predicate: IntPredicate::Ne, with: 0 });
                }
                _ => return None,
            }
        }
    }
    Some(found)
}

/// What reads a variable.
fn loads(function: &Function, slot: LocalId) -> impl Iterator<Item = LocalId> {
    let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    instructions.filter_map(move |instruction| match instruction.op {
        Op::Load { pointer: Operand::Local(pointer), .. } if pointer == slot => instruction.result,
        _ => None,
    })
}

fn integer(module: &Module, operand: &Operand) -> Option<Word> {
    let Operand::Constant(id) = operand else { return None };
    match module.constant(*id).kind {
        ConstantKind::Int { value, wide: false } => Some(value),
        ConstantKind::Zero => Some(0),
        _ => None,
    }
}

fn swapped(predicate: IntPredicate) -> IntPredicate {
    match predicate {
        IntPredicate::Ugt => IntPredicate::Ult,
        IntPredicate::Uge => IntPredicate::Ule,
        IntPredicate::Ult => IntPredicate::Ugt,
        IntPredicate::Ule => IntPredicate::Uge,
        IntPredicate::Sgt => IntPredicate::Slt,
        IntPredicate::Sge => IntPredicate::Sle,
        IntPredicate::Slt => IntPredicate::Sgt,
        IntPredicate::Sle => IntPredicate::Sge,
        equality => equality,
    }
}
