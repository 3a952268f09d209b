//! Locals that may be read before anything was assigned to them. Only those that are registers: others are memory, of
//! which engines know what was written.

use fencepost_llvm::{BlockId, Function, LocalId, Op, Operand, Type, TypeId};
use fencepost_program::{Failure, Inst, Operand as Value, Reg};
use hashbrown::{HashMap, HashSet};

use super::escape::{Storage, for_each_local};
use super::function::FunctionLowering;
use super::globals::Unsupported;
use crate::input::Uninitialised;

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

    /// Each time that a declaration is reached, the local is new. Some compilers declare it behind its first value.
    pub(super) fn begin_lives(&mut self, at: (usize, usize)) {
        if self.unassigned.is_empty() {
            return;
        }
        let source = self.source;
        for variable in source.variables.iter().filter(|variable| variable.at == at) {
            let pointer = Operand::Local(variable.address);
            let mut before = source.blocks[at.0].instructions.iter().take(at.1);
            if before.all(|before| !matches!(before.op, Op::Store { pointer: to, .. } if to == pointer)) {
                self.note_assigned(variable.address, false);
            }
        }
    }

    /// What happens if nothing was assigned to a local that is read: an error, or it has some value from then on.
    pub(super) fn must_be_assigned(&mut self, local: LocalId, ty: TypeId) -> Result<(), Unsupported> {
        let Some(flag) = self.flag(local) else { return Ok(()) };
        let (assigned, otherwise) = (self.code.label(), self.code.label());
        self.code.branch(Value::Reg(flag), assigned, otherwise);
        self.code.here(otherwise);
        match self.lowering.settings.uninitialised {
            Uninitialised::Any if self.is_number(ty) => {
                self.any_value(local, ty)?;
                self.copy(flag, Value::Const(1));
            }
            _ => self.emit(Inst::Fail { failure: Failure::Unassigned }),
        }
        self.code.here(assigned);
        Ok(())
    }

    /// Nobody can know where a pointer points to that may have any value.
    fn is_number(&self, ty: TypeId) -> bool {
        matches!(self.module.types.get(ty), Type::Int(bits) if *bits <= 64)
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
