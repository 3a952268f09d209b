//! Lowering of C expressions. Accesses inside one run from left to right, an order that C leaves open.

use super::ast::*;
use super::lower::Lowering;
use crate::builder::FunctionBuilder;
use crate::diagnostic::Diagnostic;
use crate::lowering::Lower;
use crate::operators::Operator;
use crate::text::TextRange;
use fencepost_program::code::Label;
use fencepost_program::{ArithmeticOp, Cell, Inst, ObjectId, Operand, Ordering, Reg};
use std::collections::HashMap;

impl<'a, 't> Lower<'a, 't> for Lowering<'a, 't> {
    type Own = Own<'t>;
    type Stmt = Stmt<'t>;

    fn builder(&mut self) -> &mut FunctionBuilder<'a> {
        &mut self.builder
    }

    fn errors(&mut self) -> &mut Vec<Diagnostic> {
        self.errors
    }

    fn try_statement(&mut self, statement: &Stmt<'t>) -> Result<(), Diagnostic> {
        self.lower_statement(statement)
    }

    fn loop_body(&mut self, body: &Stmt<'t>, next: Label, end: Label) {
        self.loops.push((next, end));
        self.scopes.push(HashMap::new());
        self.statement(body);
        self.scopes.pop();
        self.loops.pop();
    }

    fn named_value(&self, name: &'t str, range: TextRange) -> Result<Operand, Diagnostic> {
        match self.locals.get(name) {
            Some(local) => Ok(Operand::Reg(local.reg)),
            None => Err(self.unknown_local(name, range)),
        }
    }

    fn own_value(&mut self, own: &Own<'t>, range: TextRange, into: Option<Reg>) -> Result<Operand, Diagnostic> {
        match own {
            Own::Deref(_) | Own::Index(..) => {
                let (place, order) = self.dereferenced(own, range)?;
                let dst = into.unwrap_or_else(|| self.builder.temporary());
                self.builder.emit(Inst::Load { dst: Some(dst), place: place.into(), order }, range);
                Ok(Operand::Reg(dst))
            }
            Own::AddressOf(_) => Err(super::parser::pointer_value(range)),
            Own::Call(name, args) => match self.call(*name, args, range, into)? {
                Some(value) => Ok(value),
                None => Err(Diagnostic::new(format!("`{}` has no value", name.text), range, "expected a value")),
            },
        }
    }
}

impl<'t> Lowering<'_, 't> {
    /// Evaluates an expression for its effect.
    pub(super) fn effect(&mut self, expr: &Expr<'t>) -> Result<(), Diagnostic> {
        match &expr.kind {
            ExprKind::Own(Own::Call(name, args)) => self.call(*name, args, expr.range, None).map(|_| ()),
            _ => self.value(expr).map(|_| ()),
        }
    }

    /// The place of `*p` or `p[i]`, and the ordering that its type gives to the access.
    pub(super) fn dereferenced(&mut self, own: &Own<'t>, range: TextRange) -> Result<(Cell, Ordering), Diagnostic> {
        let (name, place) = match own {
            Own::Deref(pointer) => self.pointed(pointer)?,
            Own::Index(array, index) => self.element(array, Some(index))?,
            _ => return Err(Diagnostic::new("this is not an access", range, "expected `*x` or `x[i]`")),
        };
        Ok((place, self.plain_order(name)))
    }

    /// The place that a pointer expression goes to: `x`, `x + 1`, `&x[1]`, `&*x`.
    pub(super) fn pointed(&mut self, pointer: &Expr<'t>) -> Result<(&'t str, Cell), Diagnostic> {
        match &pointer.kind {
            ExprKind::Name(_) => self.element(pointer, None),
            ExprKind::Binary(Operator::Plain(ArithmeticOp::Add), array, index) => self.element(array, Some(index)),
            ExprKind::Own(Own::AddressOf(inner)) => match &inner.kind {
                ExprKind::Own(Own::Deref(pointer)) => self.pointed(pointer),
                ExprKind::Own(Own::Index(array, index)) => self.element(array, Some(index)),
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
