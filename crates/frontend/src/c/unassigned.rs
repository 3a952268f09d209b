//! Locals that may be read before anything was assigned to them. Only those that are registers: others are memory, of
//! which engines know what was written.

use fencepost_llvm::{BlockId, Function, LocalId, Op, Operand};
use fencepost_program::{Failure, Inst, Operand as Value, Reg};
use hashbrown::{HashMap, HashSet};

use super::escape::{Storage, for_each_local};
use super::function::FunctionLowering;

/// The registers among the locals that may be unassigned where they are used. A value that is only returned is not
/// used: a function without a `return` returns such a value, and its caller may ignore it.
pub(super) fn unassigned(function: &Function, storage: &HashMap<LocalId, Storage>) -> HashSet<LocalId> {
    let is_register = |local: &LocalId| matches!(storage.get(local), Some(Storage::Register(_)));
    let mut used: HashSet<LocalId> = HashSet::new();
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        if !matches!(instruction.op, Op::Ret { .. }) {
            for_each_local(&instruction.op, |local| {
                used.insert(local);
            });
        }
    }
    let mut found = HashSet::new();
    // For each block that can be reached, what is unassigned where it starts.
    let mut at_start: Vec<Option<HashSet<LocalId>>> = vec![None; function.blocks.len()];
    let mut todo = vec![0];
    if let Some(entry) = at_start.first_mut() {
        *entry = Some(HashSet::new());
    }
    while let Some(b) = todo.pop() {
        let (Some(block), Some(Some(start))) = (function.blocks.get(b), at_start.get(b)) else { continue };
        let mut now = start.clone();
        for instruction in &block.instructions {
            match (&instruction.op, instruction.result) {
                (Op::Alloca { .. }, Some(local)) if is_register(&local) => {
                    now.insert(local);
                }
                (Op::Store { pointer: Operand::Local(local), .. }, _) => {
                    now.remove(local);
                }
                (Op::Load { pointer: Operand::Local(local), .. }, Some(result))
                    if now.contains(local) && used.contains(&result) =>
                {
                    found.insert(*local);
                }
                _ => {}
            }
        }
        let Some(last) = block.instructions.last() else { continue };
        for_each_successor(&last.op, |BlockId(next)| {
            let Some(known) = at_start.get_mut(next as usize) else { return };
            let before = known.as_ref().map(HashSet::len);
            let known = known.get_or_insert_default();
            known.extend(now.iter().copied());
            if before != Some(known.len()) {
                todo.push(next as usize);
            }
        });
    }
    found
}

fn for_each_successor(op: &Op, mut f: impl FnMut(BlockId)) {
    match op {
        Op::Br { target } => f(*target),
        Op::CondBr { yes, no, .. } => {
            f(*yes);
            f(*no);
        }
        Op::Switch { default, cases, .. } => {
            f(*default);
            cases.iter().for_each(|(_, target)| f(*target));
        }
        Op::IndirectBr { targets, .. } => targets.iter().for_each(|(_, target)| f(*target)),
        Op::Invoke { normal, unwind, .. } => {
            f(*normal);
            f(*unwind);
        }
        _ => {}
    }
}

impl FunctionLowering<'_, '_> {
    /// Notes whether something was assigned to a local, if that is ever asked.
    pub(super) fn note_assigned(&mut self, local: LocalId, assigned: bool) {
        if let Some(flag) = self.flag(local) {
            self.copy(flag, Value::Const(assigned.into()));
        }
    }

    /// Fails if nothing was assigned to a local that is read.
    pub(super) fn must_be_assigned(&mut self, local: LocalId) {
        let Some(flag) = self.flag(local) else { return };
        let (assigned, fails) = (self.code.label(), self.code.label());
        self.code.branch(Value::Reg(flag), assigned, fails);
        self.code.here(fails);
        self.emit(Inst::Fail { failure: Failure::Unassigned });
        self.code.here(assigned);
    }

    /// The register that says whether something was assigned to a local.
    fn flag(&mut self, local: LocalId) -> Option<Reg> {
        match *self.unassigned.get(&local)? {
            Some(flag) => Some(flag),
            None => {
                let flag = self.temporary();
                self.unassigned.insert(local, Some(flag));
                Some(flag)
            }
        }
    }
}
