//! Operands in memory. An address that registers are part of is compared with those of all cells.

use super::code::Memory;
use super::lower::Lowering;
use crate::diagnostic::Diagnostic;
use crate::text::TextRange;
use fencepost_program::{ArithmeticOp, Cell, Failure, Inst, Operand, Ordering, Reg, Ty, UnaryOp, UpdateOp};

impl<'t> Lowering<'_, 't> {
    /// Emits an instruction for the cell that an operand names, with the bits that are accessed; for an address that
    /// is known only when it runs, once for each cell that it can be.
    pub(super) fn for_cell(
        &mut self,
        memory: &Memory<'t>,
        width: Option<u8>,
        mut emit: impl FnMut(&mut Self, Cell, u8),
    ) -> Result<(), Diagnostic> {
        if let Some((symbol, displacement)) = memory.fixed() {
            let start = self.locations.address_of(symbol.text).unwrap_or_default();
            let address = start.wrapping_add(displacement);
            let object = self.locations.by_name.get(symbol.text).map(|location| location.id);
            let cell = self.locations.cells().find(|(at, cell)| *at == address && Some(cell.object) == object);
            let Some((_, cell)) = cell else {
                let message = format!("this is not the start of a location of `{}`", symbol.text);
                return Err(Diagnostic::new(message, memory.range, format!("{displacement} bytes behind its start")));
            };
            let bits = self.bits_of(cell);
            // A location of another size is told elsewhere.
            emit(self, cell, width.unwrap_or(bits));
            return Ok(());
        }
        let range = memory.range;
        let address = self.address(memory);
        let end = self.builder.label();
        let cells: Vec<(i64, Cell)> = self.locations.cells().collect();
        for (at, cell) in cells {
            let bits = self.bits_of(cell);
            if width.is_some_and(|width| width != bits) {
                continue;
            }
            let (here, next) = (self.builder.label(), self.builder.label());
            let same = self.arithmetic(ArithmeticOp::Eq, address, Operand::Const(at), 64, None, range);
            self.builder.branch(same, here, next, range);
            self.builder.here(here);
            emit(self, cell, bits);
            self.builder.jump(end, range);
            self.builder.here(next);
        }
        self.builder.emit(Inst::Fail { failure: Failure::Unsupported { construct: 0 } }, range);
        self.builder.here(end);
        Ok(())
    }

    fn bits_of(&self, cell: Cell) -> u8 {
        self.locations.cell_size(cell.object) as u8 * 8
    }

    /// The number that an address is.
    pub(super) fn address(&mut self, memory: &Memory<'t>) -> Operand {
        let range = memory.range;
        let start = memory.symbol.and_then(|symbol| self.locations.address_of(symbol.text)).unwrap_or(0);
        let mut sum = Operand::Const(start.wrapping_add(memory.displacement));
        let terms = memory.base.map(|view| (view, 1)).into_iter().chain(memory.index);
        for (view, scale) in terms {
            let value = self.read(view, range);
            let scaled = self.arithmetic(ArithmeticOp::Mul, value, Operand::Const(scale), 64, None, range);
            sum = self.arithmetic(ArithmeticOp::Add, sum, scaled, 64, None, range);
        }
        sum
    }

    /// What a cell holds, as a signed word.
    pub(super) fn load(&mut self, cell: Cell, into: Option<Reg>, range: TextRange) -> Operand {
        let dst = into.unwrap_or_else(|| self.builder.temporary());
        self.builder.emit(Inst::Load { dst: Some(dst), place: cell.into(), order: Ordering::Relaxed }, range);
        self.signed(dst, cell, range)
    }

    pub(super) fn store(&mut self, cell: Cell, value: Operand, range: TextRange) {
        self.builder.emit(Inst::Store { place: cell.into(), value, order: Ordering::Relaxed }, range);
    }

    /// A locked instruction. Returns what the cell held, as a signed word.
    pub(super) fn update(
        &mut self,
        cell: Cell,
        op: UpdateOp,
        operand: Operand,
        into: Option<Reg>,
        range: TextRange,
    ) -> Operand {
        let dst = into.unwrap_or_else(|| self.builder.temporary());
        let (place, order) = (cell.into(), Ordering::SeqCst);
        self.builder.emit(Inst::Rmw { dst: Some(dst), place, op, operand, order, when: None }, range);
        self.signed(dst, cell, range)
    }

    /// What was read of a cell whose type has no sign, as a signed word.
    pub(super) fn signed(&mut self, read: Reg, cell: Cell, range: TextRange) -> Operand {
        let bits = self.bits_of(cell);
        if bits == 64 || !self.is_unsigned(cell) {
            return Operand::Reg(read);
        }
        let dst = self.builder.temporary();
        self.builder.emit(Inst::Unary { dst, op: UnaryOp::Trunc, from: 64, to: bits, a: Operand::Reg(read) }, range);
        Operand::Reg(dst)
    }

    /// A signed word as the cell holds it, to be compared with what it holds.
    pub(super) fn as_held(&mut self, value: Operand, cell: Cell, range: TextRange) -> Operand {
        let bits = self.bits_of(cell);
        if bits == 64 || !self.is_unsigned(cell) {
            return value;
        }
        self.arithmetic(ArithmeticOp::And, value, Operand::Const((1 << bits) - 1), 64, None, range)
    }

    fn is_unsigned(&self, cell: Cell) -> bool {
        matches!(self.locations.objects[cell.object.0 as usize].ty, Ty::Range { lo: 0, .. })
    }
}
