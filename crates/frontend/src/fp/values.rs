//! Lowering of expressions. There is no access to memory in them, so each is a handful of local steps.

use super::ast::*;
use super::lower::{Lowering, SelfIndex};
use crate::diagnostic::{Diagnostic, did_you_mean};
use fencepost_program::{ArithmeticOp, Operand, Reg, UnaryOp};

impl<'t> Lowering<'_, 't> {
    pub(super) fn value(&mut self, expr: &Expr<'t>) -> Result<Operand, Diagnostic> {
        self.value_into(expr, None)
    }

    /// The value of an expression; if it takes a computation and `into` is given, it is computed there.
    pub(super) fn value_into(&mut self, expr: &Expr<'t>, into: Option<Reg>) -> Result<Operand, Diagnostic> {
        let range = expr.range;
        match &expr.kind {
            ExprKind::Int(v) => Ok(Operand::Const(*v)),
            ExprKind::Bool(b) => Ok(Operand::Const(*b as i64)),
            ExprKind::SelfIndex => match self.self_index {
                SelfIndex::Zero => Ok(Operand::Const(0)),
                SelfIndex::Parameter => Ok(Operand::Reg(Reg(0))),
                SelfIndex::None => Err(Diagnostic::new("`self` in a procedure", range, "it belongs to a thread")
                    .help("give it to the procedure as an argument")),
            },
            ExprKind::Name(name) => self.named_value(name, expr),
            ExprKind::Unary(op, a) => {
                let a = self.value(a)?;
                Ok(self.builder.unary(*op, a, into, range))
            }
            ExprKind::Binary(operator, a, b) => {
                let (op, a, b) = match operator {
                    Operator::Plain(op) => (*op, self.value(a)?, self.value(b)?),
                    Operator::Swapped(op) => {
                        let (a, b) = (self.value(a)?, self.value(b)?);
                        (*op, b, a)
                    }
                    Operator::LogicalAnd => (ArithmeticOp::And, self.truth(a)?, self.truth(b)?),
                    Operator::LogicalOr => (ArithmeticOp::Or, self.truth(a)?, self.truth(b)?),
                };
                Ok(self.builder.binary(op, a, b, into, range))
            }
            ExprKind::Conditional(cond, a, b) => {
                let (cond, a, b) = (self.truth(cond)?, self.value(a)?, self.value(b)?);
                Ok(self.builder.select(cond, a, b, into, range))
            }
            ExprKind::Parenthesised(inner) => self.value_into(inner, into),
        }
    }

    /// 1 if the value is not 0, else 0.
    fn truth(&mut self, expr: &Expr<'t>) -> Result<Operand, Diagnostic> {
        let value = self.value(expr)?;
        if is_truth(expr) {
            return Ok(value);
        }
        Ok(self.builder.binary(ArithmeticOp::Ne, value, Operand::Const(0), None, expr.range))
    }

    fn named_value(&self, name: &str, expr: &Expr<'t>) -> Result<Operand, Diagnostic> {
        if let Some(reg) = self.names.registers.get(name) {
            return Ok(Operand::Reg(*reg));
        }
        if let Some((value, _)) = self.globals.constants.get(name) {
            return Ok(Operand::Const(*value));
        }
        if let Some((id, declared)) = self.globals.locations.get(name) {
            let index = if self.globals.objects[id.0 as usize].array { "[i]" } else { "" };
            return Err(Diagnostic::new(format!("`{name}` is a location, not a value"), expr.range, "not read yet")
                .and(*declared, "declared here")
                .help(format!("read it into a register first: `r = {name}{index}.load(ordering);`")));
        }
        if crate::orderings::is_ordering(name) {
            return Err(Diagnostic::new(
                format!("`{name}` is an ordering, not a value"),
                expr.range,
                "expected a value",
            ));
        }
        let known = self.names.registers.keys().chain(self.globals.constants.keys()).copied();
        let error = Diagnostic::new(format!("`{name}` is never assigned"), expr.range, "no register or constant");
        Err(match did_you_mean(name, known) {
            Some(meant) => error.help(format!("did you mean `{meant}`?")),
            None => error,
        })
    }
}

/// Whether an expression can only be 0 or 1.
fn is_truth(expr: &Expr<'_>) -> bool {
    match &expr.kind {
        ExprKind::Bool(_) | ExprKind::Unary(UnaryOp::Not, _) => true,
        ExprKind::Binary(operator, ..) => match operator {
            Operator::Plain(op) => {
                matches!(op, ArithmeticOp::Eq | ArithmeticOp::Ne | ArithmeticOp::SLt | ArithmeticOp::SLe)
            }
            Operator::Swapped(_) | Operator::LogicalAnd | Operator::LogicalOr => true,
        },
        ExprKind::Parenthesised(inner) => is_truth(inner),
        ExprKind::Int(_)
        | ExprKind::SelfIndex
        | ExprKind::Name(_)
        | ExprKind::Unary(..)
        | ExprKind::Conditional(..) => false,
    }
}
