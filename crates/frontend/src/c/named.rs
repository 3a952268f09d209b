//! Constants that are the address of something with a name.

use fencepost_llvm::{Cast, ConstantId, ConstantKind, Module, Symbol};
use fencepost_program::Value;

use super::globals::step_into;

/// The name in a constant that is its address plus a constant number of bytes.
pub(super) fn named_with_offset(module: &Module, id: ConstantId) -> Option<(Symbol, Value)> {
    let constant = module.constant(id);
    match &constant.kind {
        ConstantKind::Symbol(name) => Some((*name, 0)),
        ConstantKind::GetElementPtr { source, base, indices } => {
            let (name, mut offset) = named_with_offset(module, *base)?;
            let mut ty = *source;
            for (position, &index) in indices.iter().enumerate() {
                let ConstantKind::Int { value, wide: false } = module.constant(index).kind else { return None };
                let (more, inner) = step_into(&module.types, ty, position, value).ok()?;
                offset = offset.wrapping_add(more);
                ty = inner;
            }
            Some((name, offset))
        }
        ConstantKind::Cast { op: Cast::BitCast | Cast::AddrSpaceCast | Cast::IntToPtr, value } => {
            named_with_offset(module, *value)
        }
        ConstantKind::Cast { op: Cast::PtrToInt, value } => {
            let whole = module.types.size(constant.ty) == Some(8);
            named_with_offset(module, *value).filter(|_| whole)
        }
        _ => None,
    }
}
