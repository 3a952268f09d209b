//! What instructions compute.

use crate::{Ty, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Copy,
    Neg,
    /// 1 if the operand is 0, else 0.
    Not,
    BitNot,
}

impl UnaryOp {
    pub fn apply(self, a: Value) -> Value {
        match self {
            UnaryOp::Copy => a,
            UnaryOp::Neg => a.wrapping_neg(),
            UnaryOp::Not => (a == 0) as Value,
            UnaryOp::BitNot => !a,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
}

impl BinaryOp {
    pub const ALL: [BinaryOp; 14] = {
        use BinaryOp::*;
        [Add, Sub, Mul, Div, Rem, And, Or, Xor, Shl, Shr, Eq, Ne, Lt, Le]
    };

    /// `None` is a division by zero.
    pub fn apply(self, a: Value, b: Value) -> Option<Value> {
        Some(match self {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Div if b == 0 => return None,
            BinaryOp::Div => a.wrapping_div(b),
            BinaryOp::Rem if b == 0 => return None,
            BinaryOp::Rem => a.wrapping_rem(b),
            BinaryOp::And => a & b,
            BinaryOp::Or => a | b,
            BinaryOp::Xor => a ^ b,
            BinaryOp::Shl => a.wrapping_shl(b as u32),
            BinaryOp::Shr => a.wrapping_shr(b as u32),
            BinaryOp::Eq => (a == b) as Value,
            BinaryOp::Ne => (a != b) as Value,
            BinaryOp::Lt => (a < b) as Value,
            BinaryOp::Le => (a <= b) as Value,
        })
    }
}

/// What an always successful read-modify-write does to the old value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UpdateOp {
    Exchange,
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
    Min,
    Max,
    /// As unsigned numbers.
    UMin,
    UMax,
}

/// An [`UpdateOp`] with its operand, and the type of the cell it writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Update {
    pub op: UpdateOp,
    pub operand: Value,
    pub ty: Ty,
}

impl Update {
    pub fn apply(self, old: Value) -> Value {
        let b = self.operand;
        self.ty.wrap(match self.op {
            UpdateOp::Exchange => b,
            UpdateOp::Add => old.wrapping_add(b),
            UpdateOp::Sub => old.wrapping_sub(b),
            UpdateOp::And => old & b,
            UpdateOp::Or => old | b,
            UpdateOp::Xor => old ^ b,
            UpdateOp::Nand => !(old & b),
            UpdateOp::Min => old.min(b),
            UpdateOp::Max => old.max(b),
            // Sign extension keeps the unsigned order.
            UpdateOp::UMin => (old as u64).min(b as u64) as Value,
            UpdateOp::UMax => (old as u64).max(b as u64) as Value,
        })
    }
}
