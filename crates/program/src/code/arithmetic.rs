//! Arithmetic on words of a given width, as LLVM defines it.

use crate::memory::{sign_extended, zero_extended};
use crate::{Failure, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithmeticOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
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
}

/// A conversion from words of one width to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastOp {
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
}

/// The smallest signed number of `bits` bits.
pub fn smallest(bits: u8) -> Value {
    sign_extended(1 << (bits - 1), u32::from(bits))
}

impl ArithmeticOp {
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
            UDiv | URem if ub == 0 => return None,
            SDiv | SRem if b == 0 || least && b == -1 => return None,
            UDiv => sign_extended((ua / ub) as Value, bits),
            URem => sign_extended((ua % ub) as Value, bits),
            SDiv => sign_extended(a / b, bits),
            SRem => sign_extended(a % b, bits),
            Shl => sign_extended(a.wrapping_shl(distance), bits),
            LShr => sign_extended((ua.wrapping_shr(distance)) as Value, bits),
            AShr => sign_extended(a.wrapping_shr(distance), bits),
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

impl CastOp {
    pub fn apply(self, from: u8, to: u8, a: Value) -> Value {
        let (from, to) = (u32::from(from), u32::from(to));
        let unsigned = zero_extended(a, from);
        match self {
            CastOp::Trunc => sign_extended(a, to),
            CastOp::ZExt => sign_extended(unsigned as Value, to),
            CastOp::SExt if from == 1 => sign_extended(-a, to),
            CastOp::SExt => sign_extended(a, to),
            CastOp::FloatToFloat => of_float(to, float(from, a)),
            CastOp::FloatToSigned => sign_extended(float(from, a) as i64, to),
            CastOp::FloatToUnsigned => sign_extended(float(from, a) as u64 as Value, to),
            // Directly, because going through a `double` would round twice.
            CastOp::SignedToFloat if to == 32 => Value::from((signed(a, from) as f32).to_bits() as i32),
            CastOp::UnsignedToFloat if to == 32 => Value::from((unsigned as f32).to_bits() as i32),
            CastOp::SignedToFloat => of_float(to, signed(a, from) as f64),
            CastOp::UnsignedToFloat => of_float(to, unsigned as f64),
            CastOp::CountLeadingZeros => {
                sign_extended(Value::from(unsigned.leading_zeros().saturating_sub(64 - from)), to)
            }
            CastOp::CountTrailingZeros => sign_extended(Value::from(unsigned.trailing_zeros().min(from)), to),
            CastOp::CountOnes => sign_extended(Value::from(unsigned.count_ones()), to),
            CastOp::ByteSwap => sign_extended((unsigned.swap_bytes() >> (64 - from)) as Value, to),
            CastOp::BitReverse => sign_extended((unsigned.reverse_bits() >> (64 - from)) as Value, to),
            CastOp::FloatAbsolute => of_float(to, float(from, a).abs()),
            CastOp::FloatSquareRoot => of_float(to, float(from, a).sqrt()),
            CastOp::FloatFloor => of_float(to, float(from, a).floor()),
            CastOp::FloatCeiling => of_float(to, float(from, a).ceil()),
            CastOp::FloatTruncated => of_float(to, float(from, a).trunc()),
        }
    }
}

fn signed(a: Value, bits: u32) -> Value {
    if bits == 1 { -a } else { a }
}
