//! Expressions as `.fp` and `.litmus` both have them: the syntax tree.

use crate::operators::Operator;
use crate::text::TextRange;
use fencepost_program::{ArithmeticOp, UnaryOp};

/// An expression of a language; `Own` is what only that language has.
pub(crate) struct Expr<'t, Own> {
    pub range: TextRange,
    pub kind: ExprKind<'t, Own>,
}

pub(crate) enum ExprKind<'t, Own> {
    Int(i64),
    Name(&'t str),
    Unary(UnaryOp, Box<Expr<'t, Own>>),
    Binary(Operator, Box<Expr<'t, Own>>, Box<Expr<'t, Own>>),
    Conditional(Box<Expr<'t, Own>>, Box<Expr<'t, Own>>, Box<Expr<'t, Own>>),
    Own(Own),
}

/// What the expressions of one language contain beyond those of the other.
pub(crate) trait Own {
    /// Whether it accesses memory, so that it must not be computed in vain.
    fn accesses(&self) -> bool;

    /// Whether it can only be 0 or 1.
    fn is_truth(&self) -> bool;
}

impl<O: Own> Expr<'_, O> {
    pub(crate) fn accesses(&self) -> bool {
        match &self.kind {
            ExprKind::Int(_) | ExprKind::Name(_) => false,
            ExprKind::Unary(_, a) => a.accesses(),
            ExprKind::Binary(_, a, b) => a.accesses() || b.accesses(),
            ExprKind::Conditional(cond, a, b) => cond.accesses() || a.accesses() || b.accesses(),
            ExprKind::Own(own) => own.accesses(),
        }
    }

    pub(crate) fn is_truth(&self) -> bool {
        use ArithmeticOp::*;
        match &self.kind {
            ExprKind::Unary(UnaryOp::Not, _) => true,
            ExprKind::Binary(Operator::Plain(op), ..) => matches!(op, Eq | Ne | SLt | SLe),
            ExprKind::Binary(Operator::Swapped(_) | Operator::LogicalAnd | Operator::LogicalOr, ..) => true,
            ExprKind::Own(own) => own.is_truth(),
            ExprKind::Int(_) | ExprKind::Name(_) | ExprKind::Unary(..) | ExprKind::Conditional(..) => false,
        }
    }
}
