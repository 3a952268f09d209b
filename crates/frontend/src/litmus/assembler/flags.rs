//! The flags, as far as a thread asks them.

use super::lower::Lowering;
use super::operations::{Condition, Test};
use crate::text::TextRange;
use fencepost_program::{ArithmeticOp, Operand, Reg};

/// What is kept of the flags. `Less` is that sign and overflow differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flag {
    Zero,
    Less,
    Carry,
    Sign,
    Overflow,
}

impl Test {
    /// The flags of which one has to be set.
    pub(super) fn flags(self) -> &'static [Flag] {
        match self {
            Test::Equal => &[Flag::Zero],
            Test::Less => &[Flag::Less],
            Test::LessOrEqual => &[Flag::Less, Flag::Zero],
            Test::Below => &[Flag::Carry],
            Test::BelowOrEqual => &[Flag::Carry, Flag::Zero],
            Test::Negative => &[Flag::Sign],
            Test::Overflow => &[Flag::Overflow],
        }
    }
}

/// Whether an instruction sets the carry flag; INC and DEC leave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carry {
    Set,
    Kept,
}

impl Lowering<'_, '_> {
    fn flag(&self, flag: Flag) -> Option<Reg> {
        self.flags.iter().find(|(known, _)| *known == flag).map(|(_, reg)| *reg)
    }

    fn set(&mut self, flag: Flag, op: ArithmeticOp, a: Operand, b: Operand, bits: u8, range: TextRange) {
        if let Some(reg) = self.flag(flag) {
            let value = self.arithmetic(op, a, b, bits, Some(reg), range);
            self.builder.copy(reg, value, range);
        }
    }

    /// After `a - b`.
    pub(super) fn subtracted(&mut self, a: Operand, b: Operand, carry: Carry, bits: u8, range: TextRange) {
        let zero = Operand::Const(0);
        self.set(Flag::Zero, ArithmeticOp::Eq, a, b, bits, range);
        self.set(Flag::Less, ArithmeticOp::SLt, a, b, bits, range);
        if carry == Carry::Set {
            self.set(Flag::Carry, ArithmeticOp::ULt, a, b, bits, range);
        }
        if self.flag(Flag::Sign).or(self.flag(Flag::Overflow)).is_some() {
            let difference = self.arithmetic(ArithmeticOp::Sub, a, b, bits, None, range);
            self.set(Flag::Sign, ArithmeticOp::SLt, difference, zero, bits, range);
            let less = self.arithmetic(ArithmeticOp::SLt, a, b, bits, None, range);
            let sign = self.arithmetic(ArithmeticOp::SLt, difference, zero, bits, None, range);
            self.set(Flag::Overflow, ArithmeticOp::Ne, less, sign, bits, range);
        }
    }

    /// After `a + b`, which gave `sum`.
    pub(super) fn added(&mut self, (a, b, sum): (Operand, Operand, Operand), carry: Carry, bits: u8, range: TextRange) {
        let zero = Operand::Const(0);
        self.set(Flag::Zero, ArithmeticOp::Eq, sum, zero, bits, range);
        self.set(Flag::Sign, ArithmeticOp::SLt, sum, zero, bits, range);
        if carry == Carry::Set {
            self.set(Flag::Carry, ArithmeticOp::ULt, sum, a, bits, range);
        }
        if self.flag(Flag::Less).or(self.flag(Flag::Overflow)).is_some() {
            // Both numbers have the sign that the sum does not have.
            let of_a = self.arithmetic(ArithmeticOp::Xor, a, sum, bits, None, range);
            let of_b = self.arithmetic(ArithmeticOp::Xor, b, sum, bits, None, range);
            let both = self.arithmetic(ArithmeticOp::And, of_a, of_b, bits, None, range);
            self.set(Flag::Overflow, ArithmeticOp::SLt, both, zero, bits, range);
            let overflow = self.arithmetic(ArithmeticOp::SLt, both, zero, bits, None, range);
            let sign = self.arithmetic(ArithmeticOp::SLt, sum, zero, bits, None, range);
            self.set(Flag::Less, ArithmeticOp::Ne, sign, overflow, bits, range);
        }
    }

    /// After an operation bit by bit.
    pub(super) fn combined(&mut self, result: Operand, bits: u8, range: TextRange) {
        let zero = Operand::Const(0);
        self.set(Flag::Zero, ArithmeticOp::Eq, result, zero, bits, range);
        self.set(Flag::Less, ArithmeticOp::SLt, result, zero, bits, range);
        self.set(Flag::Sign, ArithmeticOp::SLt, result, zero, bits, range);
        for flag in [Flag::Carry, Flag::Overflow] {
            if let Some(reg) = self.flag(flag) {
                self.builder.copy(reg, zero, range);
            }
        }
    }

    /// Whether the condition holds: 0 or 1.
    pub(super) fn holds(&mut self, condition: Condition, range: TextRange) -> Operand {
        let mut value = Operand::Const(0);
        for flag in condition.test.flags() {
            let set = self.flag(*flag).map_or(Operand::Const(0), Operand::Reg);
            value = match value {
                Operand::Const(_) => set,
                Operand::Reg(_) => self.arithmetic(ArithmeticOp::Or, value, set, 64, None, range),
            };
        }
        if condition.negated {
            value = self.arithmetic(ArithmeticOp::Eq, value, Operand::Const(0), 64, None, range);
        }
        value
    }
}
