//! What `.fp` and `.litmus` lower in the same way: expressions, branches and loops.

use crate::builder::FunctionBuilder;
use crate::diagnostic::Diagnostic;
use crate::expression::{Expr, ExprKind, Own};
use crate::limits::ERRORS;
use crate::operators::Operator;
use crate::text::TextRange;
use fencepost_program::code::Label;
use fencepost_program::{ArithmeticOp, Operand, Reg};

pub(crate) trait Lower<'a, 't> {
    type Own: Own;
    type Stmt;

    fn builder(&mut self) -> &mut FunctionBuilder<'a>;

    fn errors(&mut self) -> &mut Vec<Diagnostic>;

    fn named_value(&self, name: &'t str, range: TextRange) -> Result<Operand, Diagnostic>;

    /// The value of what only this language has.
    fn own_value(&mut self, own: &Self::Own, range: TextRange, into: Option<Reg>) -> Result<Operand, Diagnostic>;

    fn try_statement(&mut self, statement: &Self::Stmt) -> Result<(), Diagnostic>;

    /// The body of a loop, in which `continue` goes to `next` and `break` to `end`.
    fn loop_body(&mut self, body: &Self::Stmt, next: Label, end: Label);

    fn statement(&mut self, statement: &Self::Stmt) {
        // Enough to report, and each further one costs a search among all names.
        if self.errors().len() >= ERRORS {
            return;
        }
        self.builder().release_temporaries();
        if let Err(error) = self.try_statement(statement) {
            self.errors().push(error);
        }
    }

    fn value(&mut self, expr: &Expr<'t, Self::Own>) -> Result<Operand, Diagnostic> {
        self.value_into(expr, None)
    }

    /// The value of an expression; if it takes a computation and `into` is given, it is computed there.
    fn value_into(&mut self, expr: &Expr<'t, Self::Own>, into: Option<Reg>) -> Result<Operand, Diagnostic> {
        let range = expr.range;
        match &expr.kind {
            ExprKind::Int(value) => Ok(Operand::Const(*value)),
            ExprKind::Name(name) => self.named_value(name, range),
            ExprKind::Unary(op, a) => {
                let a = self.value(a)?;
                Ok(self.builder().unary(*op, a, into, range))
            }
            ExprKind::Binary(operator @ (Operator::LogicalAnd | Operator::LogicalOr), a, b) if b.accesses() => {
                self.short_circuit(*operator, a, b)
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
                Ok(self.builder().binary(op, a, b, into, range))
            }
            ExprKind::Conditional(cond, a, b) if a.accesses() || b.accesses() => self.either_value(cond, a, b),
            ExprKind::Conditional(cond, a, b) => {
                let (cond, a, b) = (self.truth(cond)?, self.value(a)?, self.value(b)?);
                Ok(self.builder().select(cond, a, b, into, range))
            }
            ExprKind::Own(own) => self.own_value(own, range, into),
        }
    }

    /// 1 if the value is not 0, else 0.
    fn truth(&mut self, expr: &Expr<'t, Self::Own>) -> Result<Operand, Diagnostic> {
        let value = self.value(expr)?;
        if expr.is_truth() {
            return Ok(value);
        }
        Ok(self.builder().binary(ArithmeticOp::Ne, value, Operand::Const(0), None, expr.range))
    }

    /// `a && b` and `a || b` where `b` accesses memory, and so must not run if `a` decides.
    fn short_circuit(
        &mut self,
        operator: Operator,
        a: &Expr<'t, Self::Own>,
        b: &Expr<'t, Self::Own>,
    ) -> Result<Operand, Diagnostic> {
        let result = self.builder().temporary();
        let (other, end) = (self.builder().label(), self.builder().label());
        let a_value = self.truth(a)?;
        self.builder().copy(result, a_value, a.range);
        match operator {
            Operator::LogicalAnd => self.builder().branch(a_value, other, end, a.range),
            _ => self.builder().branch(a_value, end, other, a.range),
        }
        self.builder().here(other);
        let b_value = self.truth(b)?;
        self.builder().copy(result, b_value, b.range);
        self.builder().here(end);
        Ok(Operand::Reg(result))
    }

    /// `cond ? a : b` where only one of `a` and `b` may run.
    fn either_value(
        &mut self,
        cond: &Expr<'t, Self::Own>,
        a: &Expr<'t, Self::Own>,
        b: &Expr<'t, Self::Own>,
    ) -> Result<Operand, Diagnostic> {
        let result = self.builder().temporary();
        let (yes, no, end) = (self.builder().label(), self.builder().label(), self.builder().label());
        let cond_value = self.value(cond)?;
        self.builder().branch(cond_value, yes, no, cond.range);
        self.builder().here(yes);
        let value = self.value(a)?;
        self.builder().copy(result, value, a.range);
        self.builder().jump(end, cond.range);
        self.builder().here(no);
        let value = self.value(b)?;
        self.builder().copy(result, value, b.range);
        self.builder().here(end);
        Ok(Operand::Reg(result))
    }

    /// `if (cond) then else otherwise`. The bodies are lowered even if the condition is wrong, for their own errors.
    fn conditional(
        &mut self,
        cond: &Expr<'t, Self::Own>,
        then: &Self::Stmt,
        otherwise: Option<&Self::Stmt>,
    ) -> Result<(), Diagnostic> {
        let range = cond.range;
        let (yes, no, end) = (self.builder().label(), self.builder().label(), self.builder().label());
        let result = self.value(cond).map(|cond| self.builder().branch(cond, yes, no, range));
        self.builder().here(yes);
        self.statement(then);
        if let Some(otherwise) = otherwise {
            self.builder().jump(end, range);
            self.builder().here(no);
            self.statement(otherwise);
        } else {
            self.builder().here(no);
        }
        self.builder().here(end);
        result
    }

    /// `while (cond) body`; without a condition, it goes on forever.
    fn repeat(
        &mut self,
        cond: Option<&Expr<'t, Self::Own>>,
        body: &Self::Stmt,
        range: TextRange,
    ) -> Result<(), Diagnostic> {
        let (next, inside, end) = (self.builder().label(), self.builder().label(), self.builder().label());
        self.builder().here(next);
        let result = match cond {
            Some(cond) => self.value(cond).map(|value| self.builder().branch(value, inside, end, cond.range)),
            None => Ok(()),
        };
        self.builder().here(inside);
        self.loop_body(body, next, end);
        self.builder().jump(next, range);
        self.builder().here(end);
        result
    }
}
