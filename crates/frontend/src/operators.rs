//! The binary operators, which `.fp` takes from C with their binding strengths.

use fencepost_program::BinaryOp;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Plain(BinaryOp),
    /// `a > b` is `b < a`, and so on.
    Swapped(BinaryOp),
    LogicalAnd,
    LogicalOr,
}

/// Binary operators, loosest first, with their binding strength.
pub(crate) const OPERATORS: &[(&str, u8, Operator)] = &[
    ("||", 1, Operator::LogicalOr),
    ("&&", 2, Operator::LogicalAnd),
    ("|", 3, Operator::Plain(BinaryOp::Or)),
    ("^", 4, Operator::Plain(BinaryOp::Xor)),
    ("&", 5, Operator::Plain(BinaryOp::And)),
    ("==", 6, Operator::Plain(BinaryOp::Eq)),
    ("!=", 6, Operator::Plain(BinaryOp::Ne)),
    ("<", 7, Operator::Plain(BinaryOp::Lt)),
    ("<=", 7, Operator::Plain(BinaryOp::Le)),
    (">", 7, Operator::Swapped(BinaryOp::Lt)),
    (">=", 7, Operator::Swapped(BinaryOp::Le)),
    ("<<", 8, Operator::Plain(BinaryOp::Shl)),
    (">>", 8, Operator::Plain(BinaryOp::Shr)),
    ("+", 9, Operator::Plain(BinaryOp::Add)),
    ("-", 9, Operator::Plain(BinaryOp::Sub)),
    ("*", 10, Operator::Plain(BinaryOp::Mul)),
    ("/", 10, Operator::Plain(BinaryOp::Div)),
    ("%", 10, Operator::Plain(BinaryOp::Rem)),
];
