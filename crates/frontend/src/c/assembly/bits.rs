//! Instructions of x86 for single bits.

use fencepost_program::{ArithmeticOp, Operand, UnaryOp, UpdateOp};

use super::super::function::FunctionLowering;
use super::flags::Flags;
use super::x86::{Place, Processor, Value};

impl FunctionLowering<'_, '_> {
    /// One bit of a register or of memory, which becomes the carry flag. In memory, it may be any number of words away.
    pub(super) fn bit(
        &mut self,
        processor: &mut Processor,
        name: &str,
        locked: bool,
        bits: u8,
        (index, target): (Value, Value),
    ) -> Option<()> {
        let number = self.fetch(processor, index, bits)?;
        let within = self.word(ArithmeticOp::And, number, Operand::Const(i64::from(bits) - 1));
        let mask = self.word(ArithmeticOp::Shl, Operand::Const(1), within);
        let mask = if bits < 64 { self.converted(UnaryOp::Trunc, 64, bits, mask) } else { mask };
        let target = match (target, index) {
            // An immediate index stays within the word.
            (Value::Memory(pointer, offset), Value::Place(Place::Register(..) | Place::Own(..), _)) => {
                let words = self.word(ArithmeticOp::AShr, number, Operand::Const(bits.trailing_zeros().into()));
                let bytes = self.word(ArithmeticOp::Mul, words, Operand::Const((bits / 8).into()));
                Value::Memory(self.word(ArithmeticOp::Add, pointer, bytes), offset)
            }
            _ => target,
        };
        let inverse = self.word(ArithmeticOp::Xor, mask, Operand::Const(-1));
        let (op, update, operand) = match name {
            "bts" => (ArithmeticOp::Or, UpdateOp::Or, mask),
            "btr" => (ArithmeticOp::And, UpdateOp::And, inverse),
            _ => (ArithmeticOp::Xor, UpdateOp::Xor, mask),
        };
        let old = match (locked, Self::target(target, bits)) {
            (true, Some(place)) if name != "bt" => self.modify(place, update, operand),
            (true, _) => return None,
            (false, _) => {
                let old = self.fetch(processor, target, bits)?;
                if name != "bt" {
                    let new = self.of_width(op, bits, old, operand);
                    self.assign(processor, target, bits, new)?;
                }
                old
            }
        };
        let set = self.word(ArithmeticOp::And, old, mask);
        processor.flags = Some(Flags::Carry(self.word(ArithmeticOp::Ne, set, Operand::Const(0))));
        Some(())
    }

    /// The number of the lowest or highest bit that is set. Without one, the target stays as it was.
    pub(super) fn scan(
        &mut self,
        processor: &mut Processor,
        highest: bool,
        bits: u8,
        source: Value,
        target: Place,
    ) -> Option<()> {
        let word = self.fetch(processor, source, bits)?;
        let number = match highest {
            false => self.converted(UnaryOp::CountTrailingZeros, bits, bits, word),
            true => {
                let above = self.converted(UnaryOp::CountLeadingZeros, bits, bits, word);
                self.word(ArithmeticOp::Sub, Operand::Const(i64::from(bits) - 1), above)
            }
        };
        let before = processor.get(target).unwrap_or(Operand::Const(0));
        let number = self.chosen(word, number, before);
        processor.flags = Some(Flags::Zero { bits, result: word });
        self.assign(processor, Value::Place(target, Some(bits)), bits, number)
    }
}
