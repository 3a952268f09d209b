//! Arithmetic on words of a given width.
//!
//! Most operations are those of LLVM, and `.fp` and `.litmus` use them at 64 bits. What LLVM leaves undefined (the
//! quotient of the smallest number and -1, a shift by the width or more) is a failure or a dependency in C, but has a
//! value in the text languages: the `Wrapping` operations, which are called as in Rust's standard library.

use crate::memory::{sign_extended, zero_extended};
use crate::{Failure, Value, wide};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithmeticOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    /// The smallest number divided by -1 is itself.
    WrappingDiv,
    /// The remainder of the smallest number and -1 is 0.
    WrappingRem,
    Shl,
    LShr,
    AShr,
    /// By a distance modulo the width of a register, as [`ArithmeticOp::WrappingShr`].
    WrappingShl,
    /// Keeps the sign.
    WrappingShr,
    And,
    Or,
    Xor,
    Eq,
    Ne,
    ULt,
    ULe,
    SLt,
    SLe,
    /// The high half of the unsigned product.
    UMulHigh,
    SMulHigh,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
    /// True if one of what it names holds: less, equal, greater, or one of the operands is not a number.
    FCmp {
        less: bool,
        equal: bool,
        greater: bool,
        unordered: bool,
    },
    FMin,
    FMax,
    /// The name of 16 bytes, the low half of which is the first operand, see [`crate::wide`].
    Join,
}

/// An operation on one word, whose result may be of another width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Neg,
    /// 1 if the operand is 0, else 0.
    Not,
    BitNot,
    Trunc,
    ZExt,
    SExt,
    /// Between `float` and `double`.
    FloatToFloat,
    FloatToUnsigned,
    FloatToSigned,
    UnsignedToFloat,
    SignedToFloat,
    /// How many zero bits are above the highest one; the width if there is none.
    CountLeadingZeros,
    CountTrailingZeros,
    CountOnes,
    ByteSwap,
    BitReverse,
    FloatAbsolute,
    FloatSquareRoot,
    FloatFloor,
    FloatCeiling,
    FloatTruncated,
    /// The halves of what a word names, see [`crate::wide`].
    LowHalf,
    HighHalf,
}

/// The smallest signed number of `bits` bits.
pub fn smallest(bits: u8) -> Value {
    sign_extended(1 << (bits - 1), u32::from(bits))
}

impl ArithmeticOp {
    /// All operations on integers.
    pub const INTEGER: [ArithmeticOp; 25] = {
        use ArithmeticOp::*;
        [
            Add,
            Sub,
            Mul,
            UDiv,
            SDiv,
            URem,
            SRem,
            WrappingDiv,
            WrappingRem,
            Shl,
            LShr,
            AShr,
            WrappingShl,
            WrappingShr,
            And,
            Or,
            Xor,
            Eq,
            Ne,
            ULt,
            ULe,
            SLt,
            SLe,
            UMulHigh,
            SMulHigh,
        ]
    };

    /// Whether it fails if its second operand is 0.
    pub fn divides(self) -> bool {
        use ArithmeticOp::*;
        matches!(self, UDiv | SDiv | URem | SRem | WrappingDiv | WrappingRem)
    }

    /// Why there is no result, if there is none.
    pub fn failure(self, divisor: Value) -> Failure {
        if divisor == 0 { Failure::DivisionByZero } else { Failure::DivisionOverflow }
    }

    /// Whether a quotient of signed numbers can be too large.
    pub fn overflows(self) -> bool {
        matches!(self, ArithmeticOp::SDiv | ArithmeticOp::SRem)
    }

    /// `None` is a division by zero, or one that overflows.
    pub fn apply(self, bits: u8, a: Value, b: Value) -> Option<Value> {
        use ArithmeticOp::*;
        let bits = u32::from(bits);
        let (ua, ub) = (zero_extended(a, bits), zero_extended(b, bits));
        // Distances beyond the width are undefined behaviour; x86 takes them modulo the width of a register.
        let distance = ub as u32;
        let least = bits > 1 && a == smallest(bits as u8);
        Some(match self {
            Add => sign_extended(a.wrapping_add(b), bits),
            Sub => sign_extended(a.wrapping_sub(b), bits),
            Mul => sign_extended(a.wrapping_mul(b), bits),
            UDiv | URem | SDiv | SRem | WrappingDiv | WrappingRem if ub == 0 => return None,
            SDiv | SRem if least && b == -1 => return None,
            UDiv => sign_extended((ua / ub) as Value, bits),
            URem => sign_extended((ua % ub) as Value, bits),
            SDiv => sign_extended(a / b, bits),
            SRem => sign_extended(a % b, bits),
            WrappingDiv => sign_extended(a.wrapping_div(b), bits),
            WrappingRem => sign_extended(a.wrapping_rem(b), bits),
            Shl | WrappingShl => sign_extended(a.wrapping_shl(distance), bits),
            LShr => sign_extended((ua.wrapping_shr(distance)) as Value, bits),
            AShr | WrappingShr => sign_extended(a.wrapping_shr(distance), bits),
            And => a & b,
            Or => a | b,
            Xor => a ^ b,
            Eq => (a == b) as Value,
            Ne => (a != b) as Value,
            ULt => (ua < ub) as Value,
            ULe => (ua <= ub) as Value,
            // One bit is kept as 0 or 1, and stands for 0 or -1.
            SLt if bits == 1 => (a > b) as Value,
            SLe if bits == 1 => (a >= b) as Value,
            SLt => (a < b) as Value,
            SLe => (a <= b) as Value,
            UMulHigh => sign_extended(((ua as u128 * ub as u128) >> bits) as Value, bits),
            SMulHigh => sign_extended(((a as i128 * b as i128) >> bits) as Value, bits),
            FAdd => float_operation(bits, a, b, |a, b| a + b, |a, b| a + b),
            FSub => float_operation(bits, a, b, |a, b| a - b, |a, b| a - b),
            FMul => float_operation(bits, a, b, |a, b| a * b, |a, b| a * b),
            FDiv => float_operation(bits, a, b, |a, b| a / b, |a, b| a / b),
            FRem => float_operation(bits, a, b, |a, b| a % b, |a, b| a % b),
            FMin => float_operation(bits, a, b, f32::min, f64::min),
            FMax => float_operation(bits, a, b, f32::max, f64::max),
            Join => wide::join(a, b),
            FCmp { less, equal, greater, unordered } => {
                let order = float(bits, a).partial_cmp(&float(bits, b));
                (match order {
                    Some(std::cmp::Ordering::Less) => less,
                    Some(std::cmp::Ordering::Equal) => equal,
                    Some(std::cmp::Ordering::Greater) => greater,
                    None => unordered,
                }) as Value
            }
        })
    }
}

fn float(bits: u32, value: Value) -> f64 {
    if bits == 32 { f64::from(f32::from_bits(value as u32)) } else { f64::from_bits(value as u64) }
}

fn of_float(bits: u32, value: f64) -> Value {
    if bits == 32 { Value::from((value as f32).to_bits() as i32) } else { value.to_bits() as Value }
}

fn float_operation(
    bits: u32,
    a: Value,
    b: Value,
    single: impl Fn(f32, f32) -> f32,
    double: impl Fn(f64, f64) -> f64,
) -> Value {
    if bits == 32 {
        Value::from(single(f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits() as i32)
    } else {
        double(f64::from_bits(a as u64), f64::from_bits(b as u64)).to_bits() as Value
    }
}

impl UnaryOp {
    pub fn apply(self, from: u8, to: u8, a: Value) -> Value {
        let (from, to) = (u32::from(from), u32::from(to));
        let unsigned = zero_extended(a, from);
        match self {
            UnaryOp::Neg => sign_extended(a.wrapping_neg(), to),
            UnaryOp::Not => (a == 0) as Value,
            UnaryOp::BitNot => sign_extended(!a, to),
            UnaryOp::Trunc => sign_extended(a, to),
            UnaryOp::ZExt => sign_extended(unsigned as Value, to),
            UnaryOp::SExt if from == 1 => sign_extended(-a, to),
            UnaryOp::SExt => sign_extended(a, to),
            UnaryOp::FloatToFloat => of_float(to, float(from, a)),
            UnaryOp::FloatToSigned => sign_extended(float(from, a) as i64, to),
            UnaryOp::FloatToUnsigned => sign_extended(float(from, a) as u64 as Value, to),
            // Directly, because going through a `double` would round twice.
            UnaryOp::SignedToFloat if to == 32 => Value::from((signed(a, from) as f32).to_bits() as i32),
            UnaryOp::UnsignedToFloat if to == 32 => Value::from((unsigned as f32).to_bits() as i32),
            UnaryOp::SignedToFloat => of_float(to, signed(a, from) as f64),
            UnaryOp::UnsignedToFloat => of_float(to, unsigned as f64),
            UnaryOp::CountLeadingZeros => {
                sign_extended(Value::from(unsigned.leading_zeros().saturating_sub(64 - from)), to)
            }
            UnaryOp::CountTrailingZeros => sign_extended(Value::from(unsigned.trailing_zeros().min(from)), to),
            UnaryOp::CountOnes => sign_extended(Value::from(unsigned.count_ones()), to),
            UnaryOp::ByteSwap => sign_extended((unsigned.swap_bytes() >> (64 - from)) as Value, to),
            UnaryOp::BitReverse => sign_extended((unsigned.reverse_bits() >> (64 - from)) as Value, to),
            UnaryOp::FloatAbsolute => of_float(to, float(from, a).abs()),
            UnaryOp::FloatSquareRoot => of_float(to, float(from, a).sqrt()),
            UnaryOp::FloatFloor => of_float(to, float(from, a).floor()),
            UnaryOp::FloatCeiling => of_float(to, float(from, a).ceil()),
            UnaryOp::FloatTruncated => of_float(to, float(from, a).trunc()),
            UnaryOp::LowHalf => wide::halves(a)[0],
            UnaryOp::HighHalf => wide::halves(a)[1],
        }
    }
}

fn signed(a: Value, bits: u32) -> Value {
    if bits == 1 { -a } else { a }
}

#[cfg(test)]
mod tests {
    use super::ArithmeticOp::*;
    use super::*;

    #[test]
    fn wrapping_operations_have_a_value_where_those_of_llvm_have_none() {
        for bits in [8, 32, 64] {
            let least = smallest(bits);
            assert_eq!([SDiv, SRem].map(|op| op.apply(bits, least, -1)), [None, None]);
            assert_eq!(SDiv.failure(-1), Failure::DivisionOverflow);
            assert_eq!([WrappingDiv, WrappingRem].map(|op| op.apply(bits, least, -1)), [Some(least), Some(0)]);
            assert_eq!([WrappingDiv, WrappingRem].map(|op| op.apply(bits, least, 0)), [None, None]);
            assert_eq!([WrappingDiv, WrappingRem].map(|op| op.apply(bits, -7, 2)), [Some(-3), Some(-1)]);
        }
        assert_eq!([WrappingShl, WrappingShr].map(|op| op.apply(64, -5, 64)), [Some(-5), Some(-5)]);
        assert_eq!([WrappingShl, WrappingShr].map(|op| op.apply(64, -5, -63)), [Some(-10), Some(-3)]);
    }

    #[test]
    fn division_is_what_fails_for_a_divisor_of_zero() {
        for op in ArithmeticOp::INTEGER {
            assert_eq!(op.apply(32, 5, 0).is_none(), op.divides(), "{op:?}");
            assert_eq!(op.apply(32, smallest(32), -1).is_none(), op.overflows(), "{op:?}");
        }
    }

    #[test]
    fn operations_on_one_word_stay_within_its_width() {
        let apply = |op: UnaryOp, bits, a| op.apply(bits, bits, a);
        assert_eq!(apply(UnaryOp::Neg, 8, -128), -128);
        assert_eq!(apply(UnaryOp::Neg, 64, Value::MIN), Value::MIN);
        assert_eq!([0, 1].map(|a| apply(UnaryOp::BitNot, 1, a)), [1, 0]);
        assert_eq!([0, 1, -3].map(|a| apply(UnaryOp::BitNot, 64, a)), [-1, -2, 2]);
        assert_eq!([0, 1, -3].map(|a| apply(UnaryOp::Not, 64, a)), [1, 0, 0]);
    }
}
