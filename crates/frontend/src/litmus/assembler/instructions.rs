//! Syntax tree to program: instructions that work on data.

use super::code::{Instruction, Operand};
use super::flags::Carry;
use super::lower::Lowering;
use super::operations::Operation;
use super::registers::View;
use super::sizes::signed;
use crate::text::TextRange;
use fencepost_program::{ArithmeticOp, CasKind, Cell, Inst, Operand as Value, Ordering, Reg, UpdateOp};

/// What is added to or combined with the destination.
#[derive(Clone, Copy)]
struct Change {
    op: UpdateOp,
    carry: Carry,
    flags: bool,
}

impl<'t> Lowering<'_, 't> {
    /// An instruction on words of `bits` bits. `cell` is the operand in memory, if there is one.
    pub(super) fn data(&mut self, instruction: &Instruction<'t>, bits: u8, cell: Option<Cell>) {
        let (range, operands) = (instruction.range, &instruction.operands);
        let (Some(&first), second) = (operands.first(), operands.get(1)) else { return };
        let source = second.copied().unwrap_or(Operand::Immediate(1, range));
        let change = |op, carry| Change { op, carry, flags: true };
        match instruction.operation {
            Operation::Move => self.transfer(first, source, bits, cell, range),
            Operation::Exchange => self.exchange(first, source, cell, range),
            Operation::CompareExchange => self.compare_exchange(instruction.locked, [first, source], bits, cell, range),
            Operation::ExchangeAdd => self.exchange_add(instruction.locked, [first, source], bits, cell, range),
            Operation::Binary(op) => self.change(instruction, change(op, Carry::Set), source, bits, cell),
            Operation::Increment => self.change(instruction, change(UpdateOp::Add, Carry::Kept), source, bits, cell),
            Operation::Decrement => self.change(instruction, change(UpdateOp::Sub, Carry::Kept), source, bits, cell),
            Operation::Not => {
                let change = Change { op: UpdateOp::Xor, carry: Carry::Kept, flags: false };
                self.change(instruction, change, Operand::Immediate(-1, range), bits, cell);
            }
            Operation::Negate => {
                let value = self.value(first, bits, cell, range);
                let (zero, value) = (Value::Const(0), self.kept(value, range));
                let result = self.arithmetic(ArithmeticOp::Sub, zero, value, bits, None, range);
                self.put(first, result, cell, range);
                self.subtracted(zero, value, Carry::Set, bits, range);
            }
            Operation::Compare => {
                let (a, b) = (self.value(first, bits, cell, range), self.value(source, bits, cell, range));
                self.subtracted(a, b, Carry::Set, bits, range);
            }
            Operation::Test => {
                let (a, b) = (self.value(first, bits, cell, range), self.value(source, bits, cell, range));
                let both = self.arithmetic(ArithmeticOp::And, a, b, bits, None, range);
                self.combined(both, bits, range);
            }
            Operation::SetIf(condition) => {
                let holds = self.holds(condition, range);
                self.put(first, holds, cell, range);
            }
            Operation::MoveIf(condition) => {
                // The processor reads memory whether or not it takes the value.
                let (old, new) = (self.value(first, bits, cell, range), self.value(source, bits, cell, range));
                let cond = self.holds(condition, range);
                let dst = self.builder.temporary();
                self.builder.emit(Inst::Select { dst, cond, yes: new, no: old }, range);
                self.put(first, Value::Reg(dst), cell, range);
            }
            Operation::LoadAddress
            | Operation::Jump
            | Operation::JumpIf(_)
            | Operation::Fence(_)
            | Operation::Nothing
            | Operation::Return => {}
        }
    }

    /// The value of an operand as a signed word.
    fn value(&mut self, operand: Operand<'t>, bits: u8, cell: Option<Cell>, range: TextRange) -> Value {
        match (operand, cell) {
            (Operand::Register(view, _), _) => self.read(view, range),
            (Operand::Immediate(value, _), _) => Value::Const(signed(bits).wrap(value)),
            (Operand::Address(name), _) => {
                Value::Const(signed(bits).wrap(self.locations.address_of(name.text).unwrap_or_default()))
            }
            (Operand::Memory(_), Some(cell)) => self.load(cell, None, range),
            (Operand::Memory(_), None) => Value::Const(0),
        }
    }

    /// Sets a register, or the cell.
    fn put(&mut self, operand: Operand<'t>, value: Value, cell: Option<Cell>, range: TextRange) {
        match (operand, cell) {
            (Operand::Register(view, _), _) => self.write(view, value, range),
            (Operand::Memory(_), Some(cell)) => self.store(cell, value, range),
            _ => {}
        }
    }

    /// The variable that a register is, so that what is read goes there at once.
    fn variable(&self, view: View<'t>) -> Option<Reg> {
        self.registers.variable(view)
    }

    fn transfer(&mut self, to: Operand<'t>, from: Operand<'t>, bits: u8, cell: Option<Cell>, range: TextRange) {
        if let (Operand::Register(view, _), Operand::Memory(_), Some(cell)) = (to, from, cell) {
            let value = self.load(cell, self.variable(view), range);
            return self.write(view, value, range);
        }
        let value = self.value(from, bits, cell, range);
        self.put(to, value, cell, range);
    }

    fn exchange(&mut self, first: Operand<'t>, second: Operand<'t>, cell: Option<Cell>, range: TextRange) {
        match (first, second, cell) {
            (Operand::Register(a, _), Operand::Register(b, _), _) => {
                let old = self.read(a, range);
                let kept = self.builder.temporary();
                self.builder.copy(kept, old, range);
                let new = self.read(b, range);
                self.write(a, new, range);
                self.write(b, Value::Reg(kept), range);
            }
            (Operand::Register(view, _), _, Some(cell)) | (_, Operand::Register(view, _), Some(cell)) => {
                let new = self.read(view, range);
                let old = self.update(cell, UpdateOp::Exchange, new, self.variable(view), range);
                self.write(view, old, range);
            }
            _ => {}
        }
    }

    /// Compares with the accumulator. A locked one that fails is a full barrier all the same.
    fn compare_exchange(
        &mut self,
        locked: bool,
        [to, from]: [Operand<'t>; 2],
        bits: u8,
        cell: Option<Cell>,
        range: TextRange,
    ) {
        let accumulator = View::accumulator(bits);
        let expected = self.builder.temporary();
        let held = self.read(accumulator, range);
        self.builder.copy(expected, held, range);
        let desired = self.value(from, bits, cell, range);
        let (equal, different, end) = (self.builder.label(), self.builder.label(), self.builder.label());
        let old = match cell.filter(|_| locked) {
            Some(cell) => {
                self.builder.emit(Inst::Fence { order: Ordering::SeqCst }, range);
                let (old, ok) = (self.builder.temporary(), self.builder.temporary());
                let (success, failure) = (Ordering::SeqCst, Ordering::SeqCst);
                let compared = self.as_held(Value::Reg(expected), cell, range);
                self.builder.emit(
                    Inst::Cas {
                        old: Some(old),
                        ok: Some(ok),
                        place: cell.into(),
                        expected: compared,
                        desired,
                        success,
                        failure,
                        kind: CasKind::Strong,
                    },
                    range,
                );
                let old = self.signed(old, cell, range);
                self.subtracted(Value::Reg(expected), old, Carry::Set, bits, range);
                self.builder.branch(Value::Reg(ok), end, different, range);
                old
            }
            None => {
                let old = self.value(to, bits, cell, range);
                let same = self.arithmetic(ArithmeticOp::Eq, old, Value::Reg(expected), bits, None, range);
                self.subtracted(Value::Reg(expected), old, Carry::Set, bits, range);
                self.builder.branch(same, equal, different, range);
                self.builder.here(equal);
                self.put(to, desired, cell, range);
                self.builder.jump(end, range);
                old
            }
        };
        self.builder.here(different);
        self.write(accumulator, old, range);
        self.builder.here(end);
    }

    fn exchange_add(
        &mut self,
        locked: bool,
        [to, from]: [Operand<'t>; 2],
        bits: u8,
        cell: Option<Cell>,
        range: TextRange,
    ) {
        let Operand::Register(view, _) = from else { return };
        let added = self.builder.temporary();
        let operand = self.read(view, range);
        self.builder.copy(added, operand, range);
        let old = match cell.filter(|_| locked) {
            Some(cell) => self.update(cell, UpdateOp::Add, Value::Reg(added), None, range),
            None => self.value(to, bits, cell, range),
        };
        let kept = self.builder.temporary();
        self.builder.copy(kept, old, range);
        let sum = self.arithmetic(ArithmeticOp::Add, Value::Reg(kept), Value::Reg(added), bits, None, range);
        self.write(view, Value::Reg(kept), range);
        if !locked {
            self.put(to, sum, cell, range);
        }
        self.added((Value::Reg(kept), Value::Reg(added), sum), Carry::Set, bits, range);
    }

    /// ADD and the like. Without LOCK, one with memory is a load and a store.
    fn change(
        &mut self,
        instruction: &Instruction<'t>,
        change: Change,
        source: Operand<'t>,
        bits: u8,
        cell: Option<Cell>,
    ) {
        let (range, to) = (instruction.range, instruction.operands[0]);
        let Some(op) = change.op.arithmetic() else { return };
        let operand = self.value(source, bits, cell, range);
        let locked = cell.filter(|_| instruction.locked);
        let old = match locked {
            Some(cell) => self.update(cell, change.op, operand, None, range),
            None => self.value(to, bits, cell, range),
        };
        // The destination may be what flags are computed from.
        let (old, operand) = (self.kept(old, range), self.kept(operand, range));
        let result = self.arithmetic(op, old, operand, bits, None, range);
        if locked.is_none() {
            self.put(to, result, cell, range);
        }
        match change.op {
            _ if !change.flags => {}
            UpdateOp::Add => self.added((old, operand, result), change.carry, bits, range),
            UpdateOp::Sub => self.subtracted(old, operand, change.carry, bits, range),
            _ => self.combined(result, bits, range),
        }
    }

    /// A copy that stays when the register is set.
    fn kept(&mut self, value: Value, range: TextRange) -> Value {
        if matches!(value, Value::Const(_)) || self.flags.is_empty() {
            return value;
        }
        let kept = self.builder.temporary();
        self.builder.copy(kept, value, range);
        Value::Reg(kept)
    }
}
