//! Which functions an exception may leave. Only calls of these are followed by a look at whether one is on its way.

use fencepost_llvm::{Block, Call, Callee, Clause, ConstantKind, Op, Operand, Symbol};
use hashbrown::HashSet;

use super::link::{Definition, Linked};
use super::reach::for_each_address;

/// What sends an exception on its way: it makes the function that calls it return.
pub(super) const UNWIND: &str = "__fencepost_unwind";
/// The thread-local variable that holds the exception on its way, or null.
pub(super) const IN_FLIGHT: &str = "__fencepost_in_flight";
/// Whether a handler of a type catches an exception.
pub(super) const CATCHES: &str = "__fencepost_catches";

#[derive(Default)]
pub(super) struct Throwing {
    functions: HashSet<(usize, usize)>,
    /// Whether a call through a pointer may reach one of them.
    pointers: bool,
}

impl Throwing {
    /// Looks through all functions that the program may reach.
    pub(super) fn of(linked: &Linked, reached: &HashSet<Definition>) -> Throwing {
        let mut throwing = Throwing::default();
        let functions: Vec<(usize, usize)> = reached
            .iter()
            .filter_map(|definition| match *definition {
                Definition::Function(m, i) => Some((m, i)),
                Definition::Global(..) => None,
            })
            .collect();
        if !functions.iter().any(|&at| starts_one(linked, at)) {
            return throwing;
        }
        let mut addressed = HashSet::new();
        for &definition in reached {
            for_each_address(linked, definition, |found| addressed.extend(found));
        }
        loop {
            let before = (throwing.functions.len(), throwing.pointers);
            for &at in &functions {
                if !throwing.functions.contains(&at) && throwing.leaves(linked, at) {
                    throwing.functions.insert(at);
                    throwing.pointers |= addressed.contains(&Definition::Function(at.0, at.1));
                }
            }
            if before == (throwing.functions.len(), throwing.pointers) {
                return throwing;
            }
        }
    }

    /// Whether any function throws.
    pub(super) fn any(&self) -> bool {
        !self.functions.is_empty()
    }

    pub(super) fn pointers(&self) -> bool {
        self.pointers
    }

    /// Whether an exception may arrive from a call.
    pub(super) fn call(&self, linked: &Linked, m: usize, call: &Call) -> bool {
        match call.callee {
            Callee::Symbol(name) => match linked.resolve(m, name) {
                Some(Definition::Function(m, i)) => self.functions.contains(&(m, i)),
                _ => false,
            },
            Callee::Local(_) | Callee::Constant(_) => self.pointers,
            Callee::Asm { .. } => false,
        }
    }

    fn leaves(&self, linked: &Linked, (m, i): (usize, usize)) -> bool {
        let function = linked.function((m, i));
        let instructions = || function.blocks.iter().flat_map(|block| &block.instructions);
        let resumes = instructions().any(|instruction| matches!(instruction.op, Op::Resume { .. }));
        instructions().any(|instruction| match &instruction.op {
            Op::Call(call) => is_unwind(linked, m, call) || self.call(linked, m, call),
            Op::Invoke { call, unwind, .. } if self.call(linked, m, call) => {
                resumes || !catches_all(linked, m, &function.blocks[unwind.0 as usize])
            }
            _ => false,
        })
    }
}

/// Whether no exception passes the landing pad of a block.
fn catches_all(linked: &Linked, m: usize, block: &Block) -> bool {
    let mut pads = block.instructions.iter().filter_map(|instruction| match &instruction.op {
        Op::LandingPad { cleanup, clauses, .. } => Some((*cleanup, clauses)),
        _ => None,
    });
    pads.next().is_some_and(|(cleanup, clauses)| cleanup || clauses.iter().any(|clause| stops_all(linked, m, clause)))
}

/// Whether nothing passes a clause: it catches all, or allows no type.
fn stops_all(linked: &Linked, m: usize, clause: &Clause) -> bool {
    let (Clause::Catch(value) | Clause::Filter(_, value)) = clause;
    let Operand::Constant(id) = value else { return false };
    match (&linked.modules[m].constant(*id).kind, clause) {
        (ConstantKind::Zero, _) => true,
        (ConstantKind::Aggregate(types), Clause::Filter(..)) => types.is_empty(),
        _ => false,
    }
}

fn starts_one(linked: &Linked, (m, i): (usize, usize)) -> bool {
    let mut instructions = linked.function((m, i)).blocks.iter().flat_map(|block| &block.instructions);
    instructions.any(|instruction| matches!(&instruction.op, Op::Call(call) if is_unwind(linked, m, call)))
}

fn is_unwind(linked: &Linked, m: usize, call: &Call) -> bool {
    let is = |name: Symbol| linked.modules[m].name(name) == UNWIND;
    matches!(call.callee, Callee::Symbol(name) if is(name))
}
