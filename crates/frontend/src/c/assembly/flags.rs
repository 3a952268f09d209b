//! The flags of the processor after an instruction, and the conditions that they make.

use fencepost_program::{ArithmeticOp, Operand, UnaryOp};

use super::super::function::FunctionLowering;
use super::x86::Processor;

/// What set the flags last.
#[derive(Clone, Copy, Debug)]
pub(super) enum Flags {
    /// A sum, a difference or bits that were joined, of two words of some width.
    Sum {
        bits: u8,
        a: Operand,
        b: Operand,
        result: Operand,
        carry: Carry,
    },
    Difference {
        bits: u8,
        a: Operand,
        b: Operand,
        result: Operand,
        carry: Carry,
    },
    Logic {
        bits: u8,
        result: Operand,
    },
    /// Only the zero flag is known: whether this word is 0.
    Zero {
        bits: u8,
        result: Operand,
    },
    /// Only the carry flag is known.
    Carry(Operand),
}

/// `inc` and `dec` leave the carry flag as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carry {
    Set,
    Kept,
}

const ZERO: Operand = Operand::Const(0);

impl FunctionLowering<'_, '_> {
    /// Whether a condition holds, as 0 or 1; `None` if it is not known.
    pub(super) fn flag_condition(&mut self, processor: &Processor, name: &str) -> Option<Operand> {
        // Each condition and its opposite.
        let (base, opposite) = match name {
            "z" | "e" => ("z", false),
            "nz" | "ne" => ("z", true),
            "c" | "b" | "nae" => ("c", false),
            "nc" | "nb" | "ae" => ("c", true),
            "s" => ("s", false),
            "ns" => ("s", true),
            "o" => ("o", false),
            "no" => ("o", true),
            "be" | "na" => ("be", false),
            "nbe" | "a" => ("be", true),
            "l" | "nge" => ("l", false),
            "nl" | "ge" => ("l", true),
            "le" | "ng" => ("le", false),
            "nle" | "g" => ("le", true),
            _ => return None,
        };
        let flags = processor.flags?;
        let holds = match base {
            "z" => self.zero_flag(flags)?,
            "c" => self.carry_flag(flags)?,
            "s" => self.sign_flag(flags)?,
            "o" => self.overflow_flag(flags)?,
            "be" => {
                let (carry, zero) = (self.carry_flag(flags)?, self.zero_flag(flags)?);
                self.word(ArithmeticOp::Or, carry, zero)
            }
            _ => {
                let (sign, overflow) = (self.sign_flag(flags)?, self.overflow_flag(flags)?);
                let less = self.word(ArithmeticOp::Ne, sign, overflow);
                match base {
                    "l" => less,
                    _ => {
                        let zero = self.zero_flag(flags)?;
                        self.word(ArithmeticOp::Or, less, zero)
                    }
                }
            }
        };
        Some(if opposite { self.word(ArithmeticOp::Eq, holds, ZERO) } else { holds })
    }

    fn result_of(flags: Flags) -> Option<(u8, Operand)> {
        match flags {
            Flags::Sum { bits, result, .. }
            | Flags::Difference { bits, result, .. }
            | Flags::Logic { bits, result } => Some((bits, result)),
            Flags::Zero { .. } | Flags::Carry(_) => None,
        }
    }

    fn zero_flag(&mut self, flags: Flags) -> Option<Operand> {
        let (bits, result) = match flags {
            Flags::Zero { bits, result } => (bits, result),
            _ => Self::result_of(flags)?,
        };
        let result = self.converted(UnaryOp::Trunc, 64, bits, result);
        Some(self.word(ArithmeticOp::Eq, result, ZERO))
    }

    fn sign_flag(&mut self, flags: Flags) -> Option<Operand> {
        let (bits, result) = Self::result_of(flags)?;
        let result = self.converted(UnaryOp::Trunc, 64, bits, result);
        Some(self.word(ArithmeticOp::SLt, result, ZERO))
    }

    fn carry_flag(&mut self, flags: Flags) -> Option<Operand> {
        let (bits, a, b) = match flags {
            // The sum is smaller than what was added.
            Flags::Sum { bits, a, result, carry: Carry::Set, .. } => (bits, result, a),
            Flags::Difference { bits, a, b, carry: Carry::Set, .. } => (bits, a, b),
            Flags::Logic { .. } => return Some(ZERO),
            Flags::Carry(carry) => return Some(carry),
            Flags::Sum { .. } | Flags::Difference { .. } | Flags::Zero { .. } => return None,
        };
        let (a, b) = (self.converted(UnaryOp::ZExt, bits, 64, a), self.converted(UnaryOp::ZExt, bits, 64, b));
        Some(self.word(ArithmeticOp::ULt, a, b))
    }

    fn overflow_flag(&mut self, flags: Flags) -> Option<Operand> {
        let (bits, a, b, result, other) = match flags {
            // The result has another sign than both operands.
            Flags::Sum { bits, a, b, result, .. } => (bits, a, b, result, result),
            // The operands have different signs, and the result has not that of the first.
            Flags::Difference { bits, a, b, result, .. } => (bits, a, b, result, a),
            Flags::Logic { .. } => return Some(ZERO),
            Flags::Zero { .. } | Flags::Carry(_) => return None,
        };
        let first = self.word(ArithmeticOp::Xor, a, result);
        let second = self.word(ArithmeticOp::Xor, b, other);
        let both = self.word(ArithmeticOp::And, first, second);
        let both = self.converted(UnaryOp::Trunc, 64, bits, both);
        Some(self.word(ArithmeticOp::SLt, both, ZERO))
    }
}
