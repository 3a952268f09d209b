//! What the read-modify-writes of a program do to the old value.

use crate::{ArithmeticOp, Ty, Value, wide};

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
        if self.ty == Ty::Wide {
            return match self.op {
                UpdateOp::Exchange => b,
                op => wide::name(updated(op, wide::value(old), wide::value(b))),
            };
        }
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

fn updated(op: UpdateOp, old: u128, operand: u128) -> u128 {
    match op {
        UpdateOp::Exchange => operand,
        UpdateOp::Add => old.wrapping_add(operand),
        UpdateOp::Sub => old.wrapping_sub(operand),
        UpdateOp::And => old & operand,
        UpdateOp::Or => old | operand,
        UpdateOp::Xor => old ^ operand,
        UpdateOp::Nand => !(old & operand),
        UpdateOp::Min => (old as i128).min(operand as i128) as u128,
        UpdateOp::Max => (old as i128).max(operand as i128) as u128,
        UpdateOp::UMin => old.min(operand),
        UpdateOp::UMax => old.max(operand),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What fits into a word with its sign is updated as a word is.
    #[test]
    fn updates_of_sixteen_bytes_are_those_of_words_where_both_fit() {
        use UpdateOp::*;
        let words = [0, 1, 5, -1, -12, 1 << 40];
        for op in [Exchange, Add, Sub, And, Or, Xor, Nand, Min, Max, UMin, UMax] {
            for (old, operand) in words.into_iter().flat_map(|old| words.map(|operand| (old, operand))) {
                let wide = |word: Value| wide::name(i128::from(word) as u128);
                let new = Update { op, operand: wide(operand), ty: Ty::Wide }.apply(wide(old));
                assert_eq!(new, wide(Update { op, operand, ty: Ty::Int }.apply(old)), "{op:?} {old} {operand}");
            }
        }
    }

    #[test]
    fn updates_of_sixteen_bytes_carry_into_the_high_half() {
        let after = |op, old, operand| {
            wide::value(Update { op, operand: wide::name(operand), ty: Ty::Wide }.apply(wide::name(old)))
        };
        assert_eq!(after(UpdateOp::Add, u64::MAX.into(), 1), 1 << 64);
        assert_eq!(after(UpdateOp::Sub, 1 << 64, 1), u64::MAX.into());
        assert_eq!(after(UpdateOp::Add, u128::MAX, 2), 1);
        assert_eq!(after(UpdateOp::UMax, 1 << 64, 7), 1 << 64);
        assert_eq!(after(UpdateOp::Max, 1 << 127, 7), 7);
    }

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
