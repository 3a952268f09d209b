//! Lowering of C expressions. Accesses inside one run from left to right, an order that C leaves open.

use super::ast::*;
use super::lower::Lowering;
use crate::diagnostic::Diagnostic;
use crate::operators::Operator;
use crate::text::TextRange;
use fencepost_program::{ArithmeticOp, Cell, Inst, ObjectId, Operand, Ordering, Reg};

impl<'t> Lowering<'_, 't> {
    pub(super) fn value(&mut self, expr: &Expr<'t>) -> Result<Operand, Diagnostic> {
        self.value_into(expr, None)
    }

    /// The value of an expression; if it takes a computation and `into` is given, it is computed there.
    pub(super) fn value_into(&mut self, expr: &Expr<'t>, into: Option<Reg>) -> Result<Operand, Diagnostic> {
        let range = expr.range;
        match &expr.kind {
            ExprKind::Int(value) => Ok(Operand::Const(*value)),
            ExprKind::Name(name) => match self.locals.get(name) {
                Some(local) => Ok(Operand::Reg(local.reg)),
                None => Err(self.unknown_local(name, range)),
            },
            ExprKind::Deref(_) | ExprKind::Index(..) => {
                let (place, order) = self.dereferenced(expr)?;
                let dst = into.unwrap_or_else(|| self.builder.temporary());
                self.builder.emit(Inst::Load { dst: Some(dst), place: place.into(), order }, range);
                Ok(Operand::Reg(dst))
            }
            ExprKind::AddressOf(_) => Err(super::parser::pointer_value(range)),
            ExprKind::Unary(op, a) => {
                let a = self.value(a)?;
                Ok(self.builder.unary(*op, a, into, range))
            }
            ExprKind::Binary(operator @ (Operator::LogicalAnd | Operator::LogicalOr), a, b) if accesses(b) => {
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
                Ok(self.builder.binary(op, a, b, into, range))
            }
            ExprKind::Conditional(cond, a, b) if accesses(a) || accesses(b) => self.either_value(cond, a, b),
            ExprKind::Conditional(cond, a, b) => {
                let (cond, a, b) = (self.truth(cond)?, self.value(a)?, self.value(b)?);
                Ok(self.builder.select(cond, a, b, into, range))
            }
            ExprKind::Call(name, args) => match self.call(*name, args, range, into)? {
                Some(value) => Ok(value),
                None => Err(Diagnostic::new(format!("`{}` has no value", name.text), range, "expected a value")),
            },
        }
    }

    /// Evaluates an expression whose value nobody wants.
    pub(super) fn effect(&mut self, expr: &Expr<'t>) -> Result<(), Diagnostic> {
        match &expr.kind {
            ExprKind::Call(name, args) => self.call(*name, args, expr.range, None).map(|_| ()),
            _ => self.value(expr).map(|_| ()),
        }
    }

    fn truth(&mut self, expr: &Expr<'t>) -> Result<Operand, Diagnostic> {
        let value = self.value(expr)?;
        Ok(self.builder.binary(ArithmeticOp::Ne, value, Operand::Const(0), None, expr.range))
    }

    /// `a && b` and `a || b` where `b` accesses memory, and so must not run if `a` decides.
    fn short_circuit(&mut self, operator: Operator, a: &Expr<'t>, b: &Expr<'t>) -> Result<Operand, Diagnostic> {
        let result = self.builder.temporary();
        let (other, end) = (self.builder.label(), self.builder.label());
        let a_value = self.truth(a)?;
        self.builder.copy(result, a_value, a.range);
        match operator {
            Operator::LogicalAnd => self.builder.branch(a_value, other, end, a.range),
            _ => self.builder.branch(a_value, end, other, a.range),
        }
        self.builder.here(other);
        let b_value = self.truth(b)?;
        self.builder.copy(result, b_value, b.range);
        self.builder.here(end);
        Ok(Operand::Reg(result))
    }

    /// `cond ? a : b` where only one of `a` and `b` may run.
    fn either_value(&mut self, cond: &Expr<'t>, a: &Expr<'t>, b: &Expr<'t>) -> Result<Operand, Diagnostic> {
        let result = self.builder.temporary();
        let (yes, no, end) = (self.builder.label(), self.builder.label(), self.builder.label());
        let cond_value = self.value(cond)?;
        self.builder.branch(cond_value, yes, no, cond.range);
        self.builder.here(yes);
        let value = self.value(a)?;
        self.builder.copy(result, value, a.range);
        self.builder.jump(end, cond.range);
        self.builder.here(no);
        let value = self.value(b)?;
        self.builder.copy(result, value, b.range);
        self.builder.here(end);
        Ok(Operand::Reg(result))
    }

    /// The place of `*p` or `p[i]`, and the ordering that its type gives to the access.
    pub(super) fn dereferenced(&mut self, expr: &Expr<'t>) -> Result<(Cell, Ordering), Diagnostic> {
        let (name, place) = match &expr.kind {
            ExprKind::Deref(pointer) => self.pointed(pointer)?,
            ExprKind::Index(array, index) => self.element(array, Some(index))?,
            _ => return Err(Diagnostic::new("this is not an access", expr.range, "expected `*x` or `x[i]`")),
        };
        Ok((place, self.plain_order(name)))
    }

    /// The place that a pointer expression goes to: `x`, `x + 1`, `&x[1]`, `&*x`.
    pub(super) fn pointed(&mut self, pointer: &Expr<'t>) -> Result<(&'t str, Cell), Diagnostic> {
        match &pointer.kind {
            ExprKind::Name(_) => self.element(pointer, None),
            ExprKind::Binary(Operator::Plain(ArithmeticOp::Add), array, index) => self.element(array, Some(index)),
            ExprKind::AddressOf(inner) => match &inner.kind {
                ExprKind::Deref(pointer) => self.pointed(pointer),
                ExprKind::Index(array, index) => self.element(array, Some(index)),
                _ => Err(Diagnostic::new(
                    "this is the address of a local variable",
                    pointer.range,
                    "expected a parameter",
                )),
            },
            _ => Err(Diagnostic::new(
                "this is not the address of a location",
                pointer.range,
                "expected a parameter of the thread",
            )),
        }
    }

    fn element(&mut self, array: &Expr<'t>, index: Option<&Expr<'t>>) -> Result<(&'t str, Cell), Diagnostic> {
        let ExprKind::Name(name) = array.kind else {
            let message = "this is not the address of a location";
            return Err(Diagnostic::new(message, array.range, "expected a parameter of the thread"));
        };
        if !self.params.contains_key(name) {
            if self.locals.contains_key(name) {
                let message = format!("`{name}` is a local variable, not an address");
                return Err(Diagnostic::new(message, array.range, "expected a parameter of the thread"));
            }
            return Err(self.unknown_local(name, array.range));
        }
        let Some(location) = self.locations.by_name.get(name) else {
            return Err(self.unknown_local(name, array.range));
        };
        let object = location.id;
        let length = self.locations.objects[object.0 as usize].init.len();
        let value = match index {
            Some(index) => self.value(index)?,
            None => Operand::Const(0),
        };
        if let (Operand::Const(value), Some(index)) = (value, index)
            && !(0..length as i64).contains(&value)
        {
            let message = format!("the index {value} is outside `{name}`");
            let label = if length == 1 { "it has one cell".to_owned() } else { format!("it has {length} cells") };
            return Err(Diagnostic::new(message, index.range, label));
        }
        Ok((name, Cell { object, index: value }))
    }

    /// A value as a location of this type holds it; ranges wrap by themselves, `bool` does not.
    pub(super) fn converted(&mut self, object: ObjectId, value: Operand, range: TextRange) -> Operand {
        let name = self.locations.objects[object.0 as usize].name.as_str();
        match self.locations.by_name.get(name) {
            Some(location) if location.boolean => {
                self.builder.binary(ArithmeticOp::Ne, value, Operand::Const(0), None, range)
            }
            _ => value,
        }
    }
}

/// Whether an expression touches memory.
fn accesses(expr: &Expr<'_>) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Name(_) => false,
        ExprKind::Deref(_) | ExprKind::Index(..) | ExprKind::Call(..) => true,
        ExprKind::Unary(_, a) | ExprKind::AddressOf(a) => accesses(a),
        ExprKind::Binary(_, a, b) => accesses(a) || accesses(b),
        ExprKind::Conditional(cond, a, b) => accesses(cond) || accesses(a) || accesses(b),
    }
}
