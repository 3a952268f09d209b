//! Whether a program can tell that memory was freed and allocated again.
//!
//! Only a comparison with a pointer that was read earlier can: that is the ABA problem. Other programs are not given
//! memory again, because each choice of the allocator multiplies their executions.

use fencepost_llvm::{Call, Callee, IntPredicate, Module, Op, Operand, Type, TypeId};

/// Whether some code compares and exchanges words that can hold a pointer, or reads such words atomically and compares
/// pointers.
pub(super) fn compares_pointers(module: &Module) -> bool {
    let holds_pointer = |ty: TypeId| matches!(module.types.get(ty), Type::Pointer | Type::Int(64 | 128));
    let (mut reads, mut compares) = (false, false);
    let instructions = module.functions.iter().flat_map(|f| &f.blocks).flat_map(|block| &block.instructions);
    for instruction in instructions {
        match &instruction.op {
            Op::CmpXchg { ty, .. } if holds_pointer(*ty) => return true,
            Op::Call(call) | Op::Invoke { call, .. } if exchanges_words(module, call) => return true,
            Op::Load { ty, ordering: Some(_), .. } => reads |= holds_pointer(*ty),
            Op::ICmp { predicate: IntPredicate::Eq | IntPredicate::Ne, ty, a, b } => {
                let both_vary = matches!((a, b), (Operand::Local(_), Operand::Local(_)));
                compares |= both_vary && matches!(module.types.get(*ty), Type::Pointer);
            }
            _ => {}
        }
    }
    reads && compares
}

/// Whether a call compares and exchanges words that may hold a pointer: inline assembly, or a function of libatomic.
fn exchanges_words(module: &Module, call: &Call) -> bool {
    match call.callee {
        Callee::Symbol(name) => {
            let name = module.name(name);
            name.starts_with("__atomic_compare_exchange") && !["_1", "_2", "_4"].iter().any(|size| name.ends_with(size))
        }
        Callee::Asm { template, .. } => {
            let mut found = module.name(template).split("cmpxchg").skip(1);
            found.any(|rest| !rest.starts_with(['b', 'w', 'l']))
        }
        Callee::Local(_) | Callee::Constant(_) => false,
    }
}
