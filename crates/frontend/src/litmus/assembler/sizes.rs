//! How large locations and accesses are. A location has one size: the one of its type, or of the accesses to it.

use super::Syntax;
use super::code::{Instruction, Line, Operand, Test};
use super::operations::Operation;
use crate::diagnostic::Diagnostic;
use crate::litmus::locations::Locations;
use crate::text::TextRange;
use fencepost_program::Ty;

impl Instruction<'_> {
    /// The bits that an instruction works on, if it says so: by its mnemonic, a register, or `DWORD PTR`.
    pub(super) fn width(&self) -> Result<Option<u8>, Diagnostic> {
        let mut width: Option<u8> = self.bits;
        if self.operation == Operation::LoadAddress {
            return Ok(None);
        }
        for operand in &self.operands {
            let (bits, range) = match operand {
                Operand::Register(view, range) => (Some(view.bits), *range),
                Operand::Memory(memory) => (memory.bits, memory.range),
                Operand::Immediate(..) | Operand::Address(_) => (None, TextRange::default()),
            };
            match (width, bits) {
                (Some(width), Some(bits)) if width != bits => {
                    let message = format!("this has {} bytes, and the instruction works on {}", bits / 8, width / 8);
                    return Err(Diagnostic::new(message, range, format!("expected {} bytes", width / 8)));
                }
                _ => width = width.or(bits),
            }
        }
        Ok(width)
    }
}

/// Signed words of this size.
pub(super) fn signed(bits: u8) -> Ty {
    match bits {
        64 => Ty::Int,
        _ => Ty::Range { lo: -(1 << (bits - 1)), hi: (1 << (bits - 1)) - 1 },
    }
}

/// Gives the locations without a type the size of the accesses to them.
pub(super) fn give(locations: &mut Locations<'_>, test: &Test<'_>, syntax: Syntax, errors: &mut Vec<Diagnostic>) {
    // For each location, its bits and where they were told.
    let mut known: Vec<Option<(u8, TextRange)>> = vec![None; locations.objects.len()];
    for location in locations.by_name.values() {
        if let Some(typed) = location.typed {
            known[location.id.0 as usize] = Some((locations.cell_size(location.id) as u8 * 8, typed));
        }
    }
    for line in test.threads.iter().flat_map(|thread| &thread.code) {
        let Line::Instruction(instruction) = line else { continue };
        let Some((symbol, _)) = instruction.memory().and_then(|memory| memory.fixed()) else { continue };
        // A wrong width is told where the instruction is lowered.
        let (Ok(Some(bits)), Some(location)) = (instruction.width(), locations.by_name.get(symbol.text)) else {
            continue;
        };
        match &mut known[location.id.0 as usize] {
            Some((size, first)) if *size != bits => {
                let message = format!(
                    "`{}` has {} bytes, and this accesses {}: accesses of several sizes are not supported",
                    symbol.text,
                    *size / 8,
                    bits / 8
                );
                errors
                    .push(Diagnostic::new(message, instruction.range, "of another size").and(*first, "as known here"));
            }
            known => *known = known.or(Some((bits, instruction.range))),
        }
    }
    for (object, known) in locations.objects.iter_mut().zip(known) {
        let is_typed = locations.by_name.get(object.name.as_str()).is_some_and(|location| location.typed.is_some());
        if !is_typed {
            object.ty = signed(known.map_or(syntax.bits(), |(bits, _)| bits));
            object.init.iter_mut().for_each(|value| *value = object.ty.wrap(*value));
        }
    }
}
