//! The accesses of a program that a user can change.

use fencepost_program::{Address, Inst, Operand, Ordering, Place, Program, Span};

/// All of them, with their orderings. An access of a header has the place of its call.
pub fn sites(program: &Program) -> impl Iterator<Item = (Span, Ordering)> {
    let own = program.functions.iter().filter(|function| !function.library && !function.header);
    let placed = own.flat_map(|function| function.code.iter().zip(&function.spans));
    placed.filter_map(|(inst, span)| Some((*span, inst.ordering()?)))
}

/// Whether an instruction has an ordering that the user can change: its own, or that of the header's function which it
/// calls.
pub(crate) fn is_site(program: &Program, inst: &Inst) -> bool {
    let header = |func: &fencepost_program::FuncId| program.functions.get(func.0 as usize).is_some_and(|f| f.header);
    inst.ordering().is_some() || matches!(inst, Inst::Call { func, .. } if header(func))
}

/// The places of all that the user can change.
pub(crate) fn changeable(program: &Program) -> Vec<Span> {
    let own = program.functions.iter().filter(|function| !function.library && !function.header);
    let placed = own.flat_map(|function| function.code.iter().zip(&function.spans));
    let places = placed.filter(|(inst, span)| **span != Span::default() && is_site(program, inst));
    places.map(|(_, span)| *span).collect()
}

/// The places at which a variable is accessed by its name and not atomically.
pub fn plain_sites(program: &Program, at: Address) -> Vec<Span> {
    let global = at.pointer_and_size().and_then(|(pointer, _)| program.global_at(pointer));
    let is_it = |place: &Place| match place {
        Place::Cell(cell) => {
            let object = program.object(cell.object);
            (object.first.0..object.first.0 + object.init.len() as u64).contains(&at.0)
        }
        Place::Memory(memory) => match memory.pointer {
            Operand::Const(pointer) => global.is_some_and(|global| {
                let pointer = (pointer as u64).wrapping_add_signed(i64::from(memory.offset));
                (global.pointer..global.pointer + global.bytes.len() as u64).contains(&pointer)
            }),
            Operand::Reg(_) => false,
        },
    };
    let own = program.functions.iter().filter(|function| !function.library && !function.header);
    let mut sites: Vec<Span> = Vec::new();
    for (inst, span) in own.flat_map(|function| function.code.iter().zip(&function.spans)) {
        if let Inst::Load { place, order: Ordering::NonAtomic, .. }
        | Inst::Store { place, order: Ordering::NonAtomic, .. } = inst
            && is_it(place)
            && !sites.contains(span)
        {
            sites.push(*span);
        }
    }
    sites
}
