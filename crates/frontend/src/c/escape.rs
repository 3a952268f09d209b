//! Which locals can be registers, and which locals and thread-locals must be shared memory: those that other threads
//! may get to know, and those whose accesses keep other accesses in order. An RMW, for example, is a full barrier under
//! TSO even if no other thread knows its location.

use fencepost_llvm::{AtomicOrdering, Callee, Cast, Clause, ConstantKind, Function, Instruction, LocalId, Op, Operand};
use hashbrown::{HashMap, HashSet};

use super::leaves::{Leaf, leaves};
use super::link::{Definition, Linked};
use super::named::named_with_offset;
use super::output::Output;
use super::system::{ERROR_NUMBER, error_variable, is_error_address};

/// Where a local of the source lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    /// Only loaded and stored as a whole.
    Register(Leaf),
    /// Its address stays in this thread, and no access to it keeps anything in order.
    Private,
    Shared,
}

/// Where an address gets to from a function that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It does not outlive the call, and serves only relaxed loads and stores.
    Stays,
    /// It serves only relaxed loads and stores, and the function may return it.
    Returned,
    Escapes,
}

/// What becomes of the address that a parameter holds. Found on demand.
#[derive(Default)]
pub(super) struct Escapes {
    known: HashMap<(usize, usize, usize), Fate>,
    /// Calls within each other that are being looked into.
    depth: u32,
}

/// Further calls are taken to let all escape.
const DEEPEST: u32 = 500;

/// What each instruction does to the locals of a function.
struct Uses<'f> {
    by_local: Vec<Vec<&'f Op>>,
    results: Vec<Vec<Option<LocalId>>>,
    registers: HashMap<LocalId, Leaf>,
}

impl Escapes {
    /// Where each `alloca` of a function lives.
    pub(super) fn storage(&mut self, linked: &Linked, at: (usize, usize)) -> HashMap<LocalId, Storage> {
        let function = linked.function(at);
        let uses = Uses::of(linked, at.0, function);
        let allocas = function.blocks.iter().flat_map(|b| &b.instructions).filter_map(|i| match (&i.op, i.result) {
            (Op::Alloca { .. }, Some(result)) => Some(result),
            _ => None,
        });
        allocas
            .map(|local| {
                let storage = match uses.registers.get(&local) {
                    Some(&leaf) => Storage::Register(leaf),
                    None if self.fate(linked, at.0, &uses, local) != Fate::Stays => Storage::Shared,
                    None => Storage::Private,
                };
                (local, storage)
            })
            .collect()
    }

    /// The thread-local variables whose address may become known to other threads: the module and the place in it.
    pub(super) fn shared_thread_locals(&mut self, linked: &Linked) -> HashSet<(usize, usize)> {
        let mut found = HashSet::new();
        let error = error_variable(linked);
        for (m, module) in linked.modules.iter().enumerate() {
            let own = |name| ERROR_NUMBER.contains(&module.name(name));
            if !module.globals.iter().any(|global| global.thread_local)
                && !module.functions.iter().any(|function| own(function.name))
            {
                continue;
            }
            // Calls of the function that returns the address of the last error are that address.
            let returns_error = |name| error.is_some_and(|(library, _)| library == m) && own(name);
            let functions = module.functions.iter().filter(|function| function.is_defined());
            for function in functions.filter(|function| !returns_error(function.name)) {
                let uses = Uses::of(linked, m, function);
                for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
                    if let (Op::Call(call) | Op::Invoke { call, .. }, Some(result)) =
                        (&instruction.op, instruction.result)
                        && is_error_address(linked, m, call.callee)
                        && self.fate(linked, m, &uses, result) != Fate::Stays
                    {
                        found.extend(error);
                    }
                    for_each_operand(&instruction.op, |operand| {
                        // The function itself may be called from anywhere.
                        if is_error_function(linked, m, operand) {
                            found.extend(error);
                        }
                        if let Some(global) = thread_local(linked, m, operand)
                            && self.tells(linked, m, &uses, instruction, operand)
                        {
                            found.insert(global);
                        }
                    });
                }
            }
        }
        found
    }

    /// Whether an instruction that names a thread-local variable lets others know where it is.
    fn tells(&mut self, linked: &Linked, m: usize, uses: &Uses, instruction: &Instruction, operand: &Operand) -> bool {
        match (&instruction.op, instruction.result) {
            (Op::Call(call), result) if is_thread_local_address(linked, m, call.callee) => {
                result.is_some_and(|result| self.fate(linked, m, uses, result) != Fate::Stays)
            }
            (op @ Op::Store { value, .. }, _) => value == operand || keeps_order(op),
            (op @ Op::Load { .. }, _) => keeps_order(op),
            _ => true,
        }
    }

    fn fate_of_parameter(&mut self, linked: &Linked, at: (usize, usize), index: usize) -> Fate {
        let key = (at.0, at.1, index);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        if self.depth >= DEEPEST {
            return Fate::Escapes;
        }
        self.depth += 1;
        // A function that calls itself: assume the worst meanwhile.
        self.known.insert(key, Fate::Escapes);
        let function = linked.function(at);
        let fate = match function.parameters.get(index) {
            Some(parameter) => {
                let uses = Uses::of(linked, at.0, function);
                self.fate(linked, at.0, &uses, parameter.local)
            }
            None => Fate::Escapes,
        };
        self.depth -= 1;
        self.known.insert(key, fate);
        fate
    }

    /// Follows an address through the function: whether it gets out, or what is there must be shared memory all the
    /// same.
    fn fate(&mut self, linked: &Linked, m: usize, uses: &Uses, root: LocalId) -> Fate {
        let mut fate = Fate::Stays;
        let mut tainted = vec![root];
        let mut next = 0;
        let taint = |local: Option<LocalId>, tainted: &mut Vec<LocalId>| {
            if let Some(local) = local
                && !tainted.contains(&local)
            {
                tainted.push(local);
            }
        };
        while let Some(&local) = tainted.get(next) {
            next += 1;
            let own = |operand: &Operand| *operand == Operand::Local(local);
            for (op, &result) in uses.by_local[local.0 as usize].iter().zip(&uses.results[local.0 as usize]) {
                match op {
                    Op::Store { value, pointer, .. } if own(value) => match pointer {
                        // A pointer variable that is itself a register: follow what is loaded from it.
                        Operand::Local(slot) if uses.registers.contains_key(slot) => {
                            for (op, &result) in
                                uses.by_local[slot.0 as usize].iter().zip(&uses.results[slot.0 as usize])
                            {
                                if let Op::Load { .. } = op {
                                    taint(result, &mut tainted);
                                }
                            }
                        }
                        _ => return Fate::Escapes,
                    },
                    Op::Load { .. } | Op::Store { .. } if keeps_order(op) => return Fate::Escapes,
                    Op::Load { .. } | Op::Store { .. } | Op::ICmp { .. } => {}
                    Op::GetElementPtr { .. } | Op::Select { .. } | Op::Phi { .. } | Op::Freeze { .. } => {
                        taint(result, &mut tainted);
                    }
                    Op::Cast { op: Cast::BitCast | Cast::AddrSpaceCast, .. } => taint(result, &mut tainted),
                    Op::Call(call) | Op::Invoke { call, .. } => {
                        let Callee::Symbol(name) = call.callee else { return Fate::Escapes };
                        let passed = call.arguments.iter().enumerate().filter(|(_, a)| own(&a.value));
                        for (i, argument) in passed {
                            let there = match linked.resolve(m, name) {
                                // The callee gets a copy.
                                _ if argument.by_value.is_some() => Fate::Stays,
                                Some(Definition::Function(fm, fi)) if linked.function((fm, fi)).is_defined() => {
                                    self.fate_of_parameter(linked, (fm, fi), i)
                                }
                                _ if keeps_quiet(linked.modules[m].name(name)) => Fate::Stays,
                                _ => Fate::Escapes,
                            };
                            match there {
                                Fate::Stays => {}
                                Fate::Returned => taint(result, &mut tainted),
                                Fate::Escapes => return Fate::Escapes,
                            }
                        }
                    }
                    Op::Ret { .. } => fate = Fate::Returned,
                    _ => return Fate::Escapes,
                }
            }
        }
        fate
    }
}

/// Whether an access does more than a relaxed load or store, even if no other thread knows its location.
fn keeps_order(op: &Op) -> bool {
    let is_strong = |order| !matches!(order, None | Some(AtomicOrdering::Unordered | AtomicOrdering::Monotonic));
    match op {
        Op::Load { ordering, .. } | Op::Store { ordering, .. } => is_strong(*ordering),
        _ => true,
    }
}

/// The thread-local variable that an operand names.
fn thread_local(linked: &Linked, m: usize, operand: &Operand) -> Option<(usize, usize)> {
    let Operand::Constant(id) = operand else { return None };
    let (name, _) = named_with_offset(linked.modules[m], *id)?;
    match linked.resolve(m, name)? {
        Definition::Global(gm, gi) if linked.global((gm, gi)).thread_local => Some((gm, gi)),
        _ => None,
    }
}

fn is_error_function(linked: &Linked, m: usize, operand: &Operand) -> bool {
    let Operand::Constant(id) = operand else { return false };
    matches!(linked.modules[m].constant(*id).kind, ConstantKind::Symbol(name)
        if is_error_address(linked, m, Callee::Symbol(name)))
}

fn is_thread_local_address(linked: &Linked, m: usize, callee: Callee) -> bool {
    matches!(callee, Callee::Symbol(name) if linked.modules[m].name(name).starts_with("llvm.threadlocal.address"))
}

/// Library functions that keep no pointer.
fn keeps_quiet(name: &str) -> bool {
    let prefixes = [
        "llvm.memcpy.",
        "llvm.memmove.",
        "llvm.memset.",
        "llvm.lifetime.",
        "llvm.dbg.",
        "llvm.assume",
        "llvm.objectsize",
        "llvm.va_",
        "llvm.invariant.",
        "__fencepost_free",
        "__fencepost_heap_size",
    ];
    prefixes.iter().any(|prefix| name.starts_with(prefix)) || Output::of(name).is_some() || name == "__assert_fail"
}

impl<'f> Uses<'f> {
    fn of(linked: &Linked, m: usize, function: &'f Function) -> Uses<'f> {
        let mut uses = Uses {
            by_local: vec![Vec::new(); function.locals.len()],
            results: vec![Vec::new(); function.locals.len()],
            registers: HashMap::new(),
        };
        for instruction in function.blocks.iter().flat_map(|b| &b.instructions) {
            for_each_local(&instruction.op, |local| {
                uses.by_local[local.0 as usize].push(&instruction.op);
                uses.results[local.0 as usize].push(instruction.result);
            });
        }
        let types = &linked.modules[m].types;
        for instruction in function.blocks.iter().flat_map(|b| &b.instructions) {
            let (Op::Alloca { ty, count: None, .. }, Some(local)) = (&instruction.op, instruction.result) else {
                continue;
            };
            let Ok(found) = leaves(types, *ty) else { continue };
            let [leaf] = found[..] else { continue };
            let same = |ty| leaves(types, ty).is_ok_and(|leaves| leaves == [leaf]);
            let whole = |op: &&Op| match op {
                Op::Load { ty, .. } => same(*ty) && !keeps_order(op),
                Op::Store { ty, value, .. } => *value != Operand::Local(local) && same(*ty) && !keeps_order(op),
                _ => false,
            };
            if uses.by_local[local.0 as usize].iter().all(whole) {
                uses.registers.insert(local, leaf);
            }
        }
        uses
    }
}

/// Calls `f` with each local that an instruction reads.
pub(super) fn for_each_local(op: &Op, mut f: impl FnMut(LocalId)) {
    for_each_operand(op, |operand| {
        if let Operand::Local(local) = operand {
            f(*local);
        }
    });
}

/// Calls `one` with each operand of an instruction.
pub(super) fn for_each_operand(op: &Op, mut one: impl FnMut(&Operand)) {
    match op {
        Op::Binary { a, b, .. } | Op::ICmp { a, b, .. } | Op::FCmp { a, b, .. } => {
            one(a);
            one(b);
        }
        Op::FNeg { a, .. } => one(a),
        Op::Cast { value, .. } | Op::Freeze { value, .. } | Op::Switch { value, .. } => one(value),
        Op::Select { condition, yes, no, .. } => [condition, yes, no].into_iter().for_each(one),
        Op::Alloca { count, .. } => count.iter().for_each(|(_, count)| one(count)),
        Op::Load { pointer, .. } => one(pointer),
        Op::Store { value, pointer, .. } | Op::AtomicRmw { value, pointer, .. } => {
            one(value);
            one(pointer);
        }
        Op::GetElementPtr { base, indices, .. } => {
            one(base);
            indices.iter().for_each(|(_, index)| one(index));
        }
        Op::CmpXchg { pointer, expected, desired, .. } => [pointer, expected, desired].into_iter().for_each(one),
        Op::Call(call) | Op::Invoke { call, .. } => {
            call.arguments.iter().for_each(|argument| one(&argument.value));
            if let Callee::Local(local) = call.callee {
                one(&Operand::Local(local));
            }
        }
        Op::Phi { incoming, .. } => incoming.iter().for_each(|(value, _)| one(value)),
        Op::ExtractValue { aggregate, .. } => one(aggregate),
        Op::InsertValue { aggregate, value, .. } => {
            one(aggregate);
            one(value);
        }
        Op::ExtractElement { vector, index, .. } => [vector, index].into_iter().for_each(one),
        Op::InsertElement { vector, element, index, .. } => [vector, element, index].into_iter().for_each(one),
        Op::ShuffleVector { a, b, .. } => [a, b].into_iter().for_each(one),
        Op::CondBr { condition, .. } => one(condition),
        Op::IndirectBr { address, .. } => one(address),
        Op::Ret { value, .. } => value.iter().for_each(one),
        Op::Resume { value, .. } => one(value),
        Op::LandingPad { clauses, .. } => {
            clauses.iter().for_each(|(Clause::Catch(value) | Clause::Filter(_, value))| one(value));
        }
        Op::Fence { .. } | Op::Br { .. } | Op::Unreachable | Op::Unsupported { .. } => {}
    }
}
