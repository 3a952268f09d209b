//! What the read-modify-writes of a program do to the old value.

use crate::{ArithmeticOp, Ty, Value};

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

impl UpdateOp {
    /// The operation on the old value and the operand, for the updates that are one.
    pub fn arithmetic(self) -> Option<ArithmeticOp> {
        match self {
            UpdateOp::Add => Some(ArithmeticOp::Add),
            UpdateOp::Sub => Some(ArithmeticOp::Sub),
            UpdateOp::And => Some(ArithmeticOp::And),
            UpdateOp::Or => Some(ArithmeticOp::Or),
            UpdateOp::Xor => Some(ArithmeticOp::Xor),
            UpdateOp::Exchange | UpdateOp::Nand | UpdateOp::Min | UpdateOp::Max | UpdateOp::UMin | UpdateOp::UMax => {
                None
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_that_is_an_operation_computes_it() {
        for op in [UpdateOp::Add, UpdateOp::Sub, UpdateOp::And, UpdateOp::Or, UpdateOp::Xor] {
            let arithmetic = op.arithmetic().expect("an operation");
            for (old, operand) in [(5, 3), (-1, 12), (Value::MIN, 1), (Value::MAX, -7)] {
                let new = Update { op, operand, ty: Ty::Int }.apply(old);
                assert_eq!(Some(new), arithmetic.apply(64, old, operand), "{op:?} {old} {operand}");
            }
        }
    }
}
