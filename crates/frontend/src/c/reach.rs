//! What a program may mention, as far as it can be told without running it.

use fencepost_llvm::{Callee, ConstantId, ConstantKind, Module, Op, Operand, Symbol};
use hashbrown::HashSet;

use super::escape::for_each_operand;
use super::link::{Definition, Linked};
use super::system::{RUN_THREAD_LOCALS, THREAD_LOCAL};
use super::throwing::{CATCHES, IN_FLIGHT, UNWIND};

/// All definitions that those of the first `own` modules mention, directly or through others, and these themselves.
/// Only they need a place: what else the library has costs nothing.
pub(super) fn reached(linked: &Linked, own: usize) -> HashSet<Definition> {
    let mut found = HashSet::new();
    let mut todo = Vec::new();
    for (m, module) in linked.modules.iter().enumerate() {
        let defines = |name: &str| module.functions.iter().any(|f| f.is_defined() && module.name(f.name) == name);
        let functions = module.functions.iter().enumerate();
        if m < own {
            let own = functions.map(|(i, _)| Definition::Function(m, i));
            let globals = (0..module.globals.len()).map(|i| Definition::Global(m, i));
            // A definition that gave way to another module's is there only if something has another name for it.
            todo.extend(own.chain(globals).filter(|&definition| linked.is_meant(definition)));
        } else if defines("__fencepost_read_string") || defines("__fencepost_format") {
            // The lowering calls functions of the C library by name.
            let named = functions.filter(|(_, function)| is_called_by_name(module.name(function.name)));
            todo.extend(named.map(|(i, _)| Definition::Function(m, i)));
        }
    }
    while let Some(definition) = todo.pop() {
        if !found.insert(definition) {
            continue;
        }
        for_each_callee(linked, definition, |found| todo.extend(found));
        for_each_address(linked, definition, |found| todo.extend(found));
        if let Definition::Function(m, i) = definition {
            let name = linked.modules[m].name(linked.function((m, i)).name);
            let more = ON_DEMAND.iter().filter(|(mentioned, _)| *mentioned == name);
            todo.extend(more.filter_map(|(_, called)| linked.named(called)));
        }
    }
    found
}

/// Functions that the lowering calls if the program mentions others.
pub(super) const ON_DEMAND: [(&str, &str); 8] = [
    (THREAD_LOCAL, RUN_THREAD_LOCALS),
    ("__error", "__errno_location"),
    ("__errno_location", "__fencepost_store_errno"),
    ("pthread_key_create", "__fencepost_thread_ends"),
    ("tss_create", "__fencepost_thread_ends"),
    ("pthread_setspecific", "__fencepost_thread_ends"),
    ("__fencepost_cleanup_push", "__fencepost_exit_after_cleanup"),
    ("__pthread_register_cancel", "__fencepost_exit_after_cleanup"),
];

/// Whether the lowering may call a function of the C library, whatever the program mentions.
fn is_called_by_name(name: &str) -> bool {
    match name {
        "exit" | "quick_exit" | "memcpy" | "memmove" | "memset" => true,
        _ => name.starts_with("__fencepost_") && !ON_DEMAND.iter().any(|&(_, called)| called == name),
    }
}

/// Calls `callee` with what a function calls by name, and what the lowering of its instructions calls.
fn for_each_callee(linked: &Linked, definition: Definition, mut callee: impl FnMut(Option<Definition>)) {
    let Definition::Function(m, i) = definition else { return };
    let blocks = &linked.function((m, i)).blocks;
    for op in blocks.iter().flat_map(|block| &block.instructions).map(|instruction| &instruction.op) {
        match op {
            Op::Call(call) | Op::Invoke { call, .. } => {
                if let Callee::Symbol(name) = call.callee {
                    callee(linked.resolve(m, name));
                    if linked.modules[m].name(name) == UNWIND {
                        callee(linked.named(IN_FLIGHT));
                    }
                }
            }
            Op::LandingPad { .. } => [IN_FLIGHT, CATCHES].into_iter().for_each(|name| callee(linked.named(name))),
            _ => {}
        }
    }
}

/// Calls `address` with each definition whose address a definition takes.
pub(super) fn for_each_address(linked: &Linked, definition: Definition, mut address: impl FnMut(Option<Definition>)) {
    match definition {
        Definition::Global(m, i) => {
            if let Some(init) = linked.global((m, i)).init {
                for_each_symbol(linked.modules[m], init, &mut |name| address(linked.resolve(m, name)));
            }
        }
        Definition::Function(m, i) => {
            let module = linked.modules[m];
            let mut symbols = |id| for_each_symbol(module, id, &mut |name| address(linked.resolve(m, name)));
            let blocks = &linked.function((m, i)).blocks;
            for op in blocks.iter().flat_map(|block| &block.instructions).map(|instruction| &instruction.op) {
                if let Op::Call(call) | Op::Invoke { call, .. } = op
                    && let Callee::Constant(id) = call.callee
                {
                    symbols(id);
                }
                for_each_operand(op, |operand| {
                    if let Operand::Constant(id) = operand {
                        symbols(*id);
                    }
                });
            }
        }
    }
}

/// Calls `mention` with each name that a constant is made of.
pub(super) fn for_each_symbol(module: &Module, id: ConstantId, mention: &mut impl FnMut(Symbol)) {
    let mut todo = vec![id];
    while let Some(id) = todo.pop() {
        match &module.constant(id).kind {
            ConstantKind::Symbol(name) | ConstantKind::BlockAddress { function: name, .. } => mention(*name),
            ConstantKind::Aggregate(parts) => todo.extend(parts),
            ConstantKind::GetElementPtr { base, indices, .. } => {
                todo.push(*base);
                todo.extend(indices);
            }
            ConstantKind::Cast { value, .. } | ConstantKind::Splat(value) => todo.push(*value),
            ConstantKind::Binary { a, b, .. } => todo.extend([*a, *b]),
            ConstantKind::Int { .. }
            | ConstantKind::Wide(_)
            | ConstantKind::Float(_)
            | ConstantKind::Zero
            | ConstantKind::Undef
            | ConstantKind::Bytes(_)
            | ConstantKind::Unsupported(_) => {}
        }
    }
}
