//! Which memory instructions access.

use fencepost_llvm::{Call, Callee, ConstantId, ConstantKind, Function, Instruction, LocalId, Op, Operand};
use hashbrown::{HashMap, HashSet};

use super::Id;
use crate::c::escape::{Escapes, Storage, for_each_operand};
use crate::c::leaves::leaves;
use crate::c::link::{Definition, Linked};

/// What an access may be to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Location {
    /// Memory that only its thread can reach, or that nobody writes.
    Private,
    Global(Id),
    /// What a pointer points to.
    Other,
}

/// Memory, as far as it can be told apart.
#[derive(Default)]
pub(super) struct Memory {
    pub globals: HashSet<Id>,
    pub other: bool,
}

impl Memory {
    pub(super) fn insert(&mut self, location: Location) {
        match location {
            Location::Private => {}
            Location::Global(id) => {
                self.globals.insert(id);
            }
            Location::Other => self.other = true,
        }
    }
}

/// An access of an instruction.
pub(super) struct Access {
    pub location: Location,
    pub writes: bool,
    /// It consists of several.
    pub many: bool,
}

/// How instructions of a function access memory.
pub(super) struct View<'v, 'm> {
    pub linked: &'v Linked<'m>,
    pub id: Id,
    pub storage: &'v HashMap<LocalId, Storage>,
    pub thread_locals: &'v HashSet<Id>,
}

impl View<'_, '_> {
    pub(super) fn for_each_access(&self, instruction: &Instruction, mut one: impl FnMut(Access)) {
        let types = &self.linked.modules[self.id.0].types;
        let many =
            |ty| leaves(types, ty).map_or(true, |leaves| leaves.iter().flat_map(|leaf| leaf.pieces()).count() > 1);
        match &instruction.op {
            Op::Load { ty, pointer, .. } => {
                one(Access { location: self.location(*pointer), writes: false, many: many(*ty) });
            }
            Op::Store { ty, pointer, .. } => {
                one(Access { location: self.location(*pointer), writes: true, many: many(*ty) });
            }
            Op::CmpXchg { pointer, .. } | Op::AtomicRmw { pointer, .. } => {
                one(Access { location: self.location(*pointer), writes: true, many: false });
            }
            Op::Call(call) | Op::Invoke { call, .. } => self.accesses_of_call(call, one),
            _ => {}
        }
    }

    /// Those of LLVM's own functions, and of what a call passes by value. Functions with code have accesses themselves.
    fn accesses_of_call(&self, call: &Call, mut one: impl FnMut(Access)) {
        for argument in call.arguments.iter().filter(|argument| argument.by_value.is_some()) {
            one(Access { location: self.location(argument.value), writes: false, many: true });
        }
        let Callee::Symbol(name) = call.callee else { return };
        let name = self.linked.modules[self.id.0].name(name);
        let is = |start: &str| name.starts_with(start);
        let copies = is("llvm.memcpy") || is("llvm.memmove");
        if !copies && !is("llvm.memset") && !is("llvm.va_") {
            return;
        }
        for (i, argument) in call.arguments.iter().take(2).enumerate() {
            if i == 0 || copies || is("llvm.va_") {
                one(Access { location: self.location(argument.value), writes: i == 0, many: true });
            }
        }
    }

    fn location(&self, pointer: Operand) -> Location {
        match pointer {
            Operand::Constant(id) => match root(self.linked, self.id.0, id) {
                Some(global) if self.thread_locals.contains(&global) => Location::Private,
                // Nobody writes to it.
                Some(global) if self.linked.global(global).constant => Location::Private,
                Some(global) if !self.linked.global(global).thread_local => Location::Global(global),
                _ => Location::Other,
            },
            Operand::Local(local) => {
                let function = self.linked.function(self.id);
                match definition(function, local).map(|instruction| &instruction.op) {
                    Some(Op::Alloca { .. }) => match self.storage.get(&local) {
                        Some(Storage::Register(_) | Storage::Private) => Location::Private,
                        _ => Location::Other,
                    },
                    Some(Op::GetElementPtr { base, .. }) => self.location(*base),
                    Some(Op::Cast { value, .. }) => self.location(*value),
                    Some(Op::Call(call)) if self.is_thread_local_address(call) => {
                        call.arguments.first().map_or(Location::Other, |argument| self.location(argument.value))
                    }
                    _ => Location::Other,
                }
            }
        }
    }

    fn is_thread_local_address(&self, call: &Call) -> bool {
        let module = self.linked.modules[self.id.0];
        matches!(call.callee, Callee::Symbol(name) if module.name(name).starts_with("llvm.threadlocal.address"))
    }
}

fn definition(function: &Function, local: LocalId) -> Option<&Instruction> {
    let mut instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    instructions.find(|instruction| instruction.result == Some(local))
}

/// The global variable that a constant points into.
fn root(linked: &Linked, m: usize, constant: ConstantId) -> Option<Id> {
    match &linked.modules[m].constant(constant).kind {
        ConstantKind::Symbol(name) => match linked.resolve(m, *name)? {
            Definition::Global(gm, gi) => Some((gm, gi)),
            Definition::Function(..) => None,
        },
        ConstantKind::GetElementPtr { base, .. } => root(linked, m, *base),
        ConstantKind::Cast { value, .. } => root(linked, m, *value),
        _ => None,
    }
}

/// All globals that a constant has the address of.
fn roots(linked: &Linked, m: usize, constant: ConstantId, out: &mut HashSet<Id>) {
    match &linked.modules[m].constant(constant).kind {
        ConstantKind::Aggregate(parts) => parts.iter().for_each(|&part| roots(linked, m, part, out)),
        ConstantKind::Binary { a, b, .. } => [*a, *b].into_iter().for_each(|part| roots(linked, m, part, out)),
        _ => out.extend(root(linked, m, constant)),
    }
}

/// The globals whose address gets anywhere but into an access.
pub(super) fn pointed_globals(linked: &Linked, library: usize) -> HashSet<Id> {
    let mut found = HashSet::new();
    for (m, module) in linked.modules.iter().enumerate().take(library) {
        for init in module.globals.iter().filter_map(|global| global.init) {
            roots(linked, m, init, &mut found);
        }
        for function in &module.functions {
            let uses = uses(function);
            for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
                for_each_operand(&instruction.op, |operand| {
                    if let Operand::Constant(id) = operand
                        && !only_accesses(&uses, instruction, *operand, 0)
                    {
                        roots(linked, m, *id, &mut found);
                    }
                });
            }
        }
    }
    found
}

fn uses(function: &Function) -> HashMap<LocalId, Vec<&Instruction>> {
    let mut uses: HashMap<LocalId, Vec<&Instruction>> = HashMap::new();
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        for_each_operand(&instruction.op, |operand| {
            if let Operand::Local(local) = operand {
                uses.entry(*local).or_default().push(instruction);
            }
        });
    }
    uses
}

/// Addresses that are computed from each other.
const DEEPEST: u32 = 20;

/// Whether an instruction does nothing with an address but access what is there, or compute another one for this.
fn only_accesses(
    uses: &HashMap<LocalId, Vec<&Instruction>>,
    instruction: &Instruction,
    address: Operand,
    depth: u32,
) -> bool {
    let through_result = || {
        let users = instruction.result.and_then(|result| Some((result, uses.get(&result)?)));
        depth < DEEPEST
            && users.is_none_or(|(result, users)| {
                users.iter().all(|user| only_accesses(uses, user, Operand::Local(result), depth + 1))
            })
    };
    match &instruction.op {
        Op::Load { .. } => true,
        Op::Store { value, .. } | Op::AtomicRmw { value, .. } => *value != address,
        Op::CmpXchg { expected, desired, .. } => *expected != address && *desired != address,
        Op::ICmp { .. } => true,
        Op::GetElementPtr { .. } | Op::Cast { .. } => through_result(),
        _ => false,
    }
}

/// The thread-local variables that only their thread can reach.
pub(super) fn private_thread_locals(linked: &Linked, escapes: &mut Escapes) -> HashSet<Id> {
    let shared = escapes.shared_thread_locals(linked);
    let mut found = HashSet::new();
    for (m, module) in linked.modules.iter().enumerate() {
        let locals = module.globals.iter().enumerate().filter(|(_, global)| global.thread_local);
        found.extend(locals.map(|(i, _)| (m, i)).filter(|id| !shared.contains(id)));
    }
    found
}
