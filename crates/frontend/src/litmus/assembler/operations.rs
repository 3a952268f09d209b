//! What the mnemonics of x86 mean.

use fencepost_program::{Membar, Ordering, UpdateOp};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Move,
    Exchange,
    CompareExchange,
    ExchangeAdd,
    /// `ADD`, `SUB`, `AND`, `OR`, `XOR`.
    Binary(UpdateOp),
    Compare,
    Test,
    Increment,
    Decrement,
    Negate,
    Not,
    LoadAddress,
    Jump,
    JumpIf(Condition),
    SetIf(Condition),
    MoveIf(Condition),
    Fence(Ordering),
    Nothing,
    Return,
}

/// What a conditional instruction asks the flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    pub test: Test,
    pub negated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Equal,
    /// As signed numbers.
    Less,
    LessOrEqual,
    /// As unsigned numbers.
    Below,
    BelowOrEqual,
    Negative,
    Overflow,
}

const OPERATIONS: &[(&str, Operation)] = &[
    ("MOV", Operation::Move),
    ("XCHG", Operation::Exchange),
    ("CMPXCHG", Operation::CompareExchange),
    ("XADD", Operation::ExchangeAdd),
    ("ADD", Operation::Binary(UpdateOp::Add)),
    ("SUB", Operation::Binary(UpdateOp::Sub)),
    ("AND", Operation::Binary(UpdateOp::And)),
    ("OR", Operation::Binary(UpdateOp::Or)),
    ("XOR", Operation::Binary(UpdateOp::Xor)),
    ("CMP", Operation::Compare),
    ("TEST", Operation::Test),
    ("INC", Operation::Increment),
    ("DEC", Operation::Decrement),
    ("NEG", Operation::Negate),
    ("NOT", Operation::Not),
    ("LEA", Operation::LoadAddress),
    ("JMP", Operation::Jump),
    ("MFENCE", Operation::Fence(Ordering::SeqCst)),
    ("SFENCE", Operation::Fence(Ordering::Membar(Membar::STORE_STORE))),
    ("LFENCE", Operation::Fence(Ordering::Membar(Membar::LOAD_LOAD))),
    ("NOP", Operation::Nothing),
    ("PAUSE", Operation::Nothing),
    ("ENDBR64", Operation::Nothing),
    ("ENDBR32", Operation::Nothing),
    ("RET", Operation::Return),
];

const CONDITIONS: &[(&str, Test, bool)] = &[
    ("E", Test::Equal, false),
    ("Z", Test::Equal, false),
    ("NE", Test::Equal, true),
    ("NZ", Test::Equal, true),
    ("L", Test::Less, false),
    // As herd calls them.
    ("LT", Test::Less, false),
    ("GT", Test::LessOrEqual, true),
    ("NGE", Test::Less, false),
    ("GE", Test::Less, true),
    ("NL", Test::Less, true),
    ("LE", Test::LessOrEqual, false),
    ("NG", Test::LessOrEqual, false),
    ("G", Test::LessOrEqual, true),
    ("NLE", Test::LessOrEqual, true),
    ("B", Test::Below, false),
    ("C", Test::Below, false),
    ("NAE", Test::Below, false),
    ("AE", Test::Below, true),
    ("NB", Test::Below, true),
    ("NC", Test::Below, true),
    ("BE", Test::BelowOrEqual, false),
    ("NA", Test::BelowOrEqual, false),
    ("A", Test::BelowOrEqual, true),
    ("NBE", Test::BelowOrEqual, true),
    ("S", Test::Negative, false),
    ("NS", Test::Negative, true),
    ("O", Test::Overflow, false),
    ("NO", Test::Overflow, true),
];

/// Instructions with a meaning that no model here has.
pub(super) const REFUSED: &[(&str, &str)] = &[
    ("CLFLUSH", "the models have no persistent memory"),
    ("CLFLUSHOPT", "the models have no persistent memory"),
    ("CLWB", "the models have no persistent memory"),
    ("MOVNTI", "stores that bypass the cache are weaker than TSO"),
    ("MOVNTQ", "stores that bypass the cache are weaker than TSO"),
    ("MOVNTDQ", "stores that bypass the cache are weaker than TSO"),
    ("MOVNTDQA", "loads that bypass the cache are weaker than TSO"),
];

/// The operation, and the bits of its operands if the mnemonic says so.
pub(super) fn operation(mnemonic: &str) -> Option<(Operation, Option<u8>)> {
    let upper = mnemonic.to_ascii_uppercase();
    if let Some(operation) = exact(&upper) {
        return Some((operation, None));
    }
    let bits = match upper.chars().last()? {
        'B' => 8,
        'W' => 16,
        'L' => 32,
        'Q' => 64,
        _ => return None,
    };
    let operation = exact(&upper[..upper.len() - 1])?;
    let sized = !matches!(operation, Operation::JumpIf(_) | Operation::SetIf(_) | Operation::Fence(_));
    sized.then_some((operation, Some(bits)))
}

fn exact(mnemonic: &str) -> Option<Operation> {
    let known = OPERATIONS.iter().find(|(name, _)| *name == mnemonic).map(|(_, operation)| *operation);
    let conditional = |prefix: &str, make: fn(Condition) -> Operation| {
        let code = mnemonic.strip_prefix(prefix)?;
        let &(_, test, negated) = CONDITIONS.iter().find(|(name, ..)| *name == code)?;
        Some(make(Condition { test, negated }))
    };
    known
        .or_else(|| conditional("J", Operation::JumpIf))
        .or_else(|| conditional("SET", Operation::SetIf))
        .or_else(|| conditional("CMOV", Operation::MoveIf))
}

/// All mnemonics without sizes, for suggestions.
pub(super) fn mnemonics() -> impl Iterator<Item = &'static str> {
    OPERATIONS.iter().map(|(name, _)| *name)
}

impl Operation {
    /// How many operands it has.
    pub(super) fn operands(self) -> std::ops::RangeInclusive<usize> {
        match self {
            Operation::Move
            | Operation::Exchange
            | Operation::CompareExchange
            | Operation::ExchangeAdd
            | Operation::Binary(_)
            | Operation::Compare
            | Operation::Test
            | Operation::LoadAddress
            | Operation::MoveIf(_) => 2..=2,
            Operation::Increment | Operation::Decrement | Operation::Negate | Operation::Not => 1..=1,
            Operation::SetIf(_) => 1..=1,
            // NOP may have an operand that makes it longer.
            Operation::Nothing => 0..=1,
            Operation::Jump | Operation::JumpIf(_) | Operation::Fence(_) | Operation::Return => 0..=0,
        }
    }

    /// Whether LOCK may stand before it, if its destination is in memory.
    pub(super) fn can_be_locked(self) -> bool {
        matches!(
            self,
            Operation::Exchange
                | Operation::CompareExchange
                | Operation::ExchangeAdd
                | Operation::Binary(_)
                | Operation::Increment
                | Operation::Decrement
                | Operation::Not
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_letter_of_a_mnemonic_may_be_a_size() {
        assert_eq!(operation("movl"), Some((Operation::Move, Some(32))));
        assert_eq!(operation("MOV"), Some((Operation::Move, None)));
        assert_eq!(operation("sub"), Some((Operation::Binary(UpdateOp::Sub), None)));
        assert_eq!(operation("subb"), Some((Operation::Binary(UpdateOp::Sub), Some(8))));
        let below = Condition { test: Test::Below, negated: false };
        assert_eq!(operation("cmovcl"), Some((Operation::MoveIf(below), Some(32))));
        let less = Condition { test: Test::Less, negated: false };
        assert_eq!(operation("cmovl"), Some((Operation::MoveIf(less), None)));
        assert_eq!(operation("jl"), Some((Operation::JumpIf(less), None)));
        assert_eq!(operation("jel"), None);
        assert_eq!(operation("mfencel"), None);
        assert_eq!(operation(""), None);
        assert_eq!(operation("é"), None);
    }
}
