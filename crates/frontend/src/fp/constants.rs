//! Expressions that must be constant: lengths, ranges, initial values, numbers of threads.

use super::ast::*;
use super::globals::Globals;
use crate::builder::BITS;
use crate::diagnostic::{Diagnostic, did_you_mean};
use fencepost_program::{Ty, Value};

/// The named types with their bounds.
const TYPES: &[(&str, Value, Value)] = &[
    ("int", Value::MIN, Value::MAX),
    ("bool", 0, 1),
    ("u8", 0, u8::MAX as Value),
    ("u16", 0, u16::MAX as Value),
    ("u32", 0, u32::MAX as Value),
    ("i8", i8::MIN as Value, i8::MAX as Value),
    ("i16", i16::MIN as Value, i16::MAX as Value),
    ("i32", i32::MIN as Value, i32::MAX as Value),
];

pub(super) fn evaluate(expr: &Expr<'_>, globals: &Globals<'_>) -> Result<Value, Diagnostic> {
    let value = |e: &Expr<'_>| evaluate(e, globals);
    match &expr.kind {
        ExprKind::Int(v) => Ok(*v),
        ExprKind::Own(Own::Bool(b)) => Ok(*b as Value),
        ExprKind::Own(Own::SelfIndex) => {
            Err(Diagnostic::new("`self` is not a constant", expr.range, "expected a constant expression"))
        }
        ExprKind::Name(name) => match globals.constants.get(name) {
            Some((v, _)) => Ok(*v),
            None => Err(unknown(name, expr, globals)),
        },
        ExprKind::Unary(op, a) => Ok(op.apply(BITS, BITS, value(a)?)),
        ExprKind::Binary(operator, a, b) => {
            let (a, b) = (value(a)?, value(b)?);
            let result = match operator {
                Operator::Plain(op) => op.apply(BITS, a, b),
                Operator::Swapped(op) => op.apply(BITS, b, a),
                Operator::LogicalAnd => Some((a != 0 && b != 0) as Value),
                Operator::LogicalOr => Some((a != 0 || b != 0) as Value),
            };
            result.ok_or_else(|| Diagnostic::new("division by zero", expr.range, "in a constant expression"))
        }
        ExprKind::Conditional(cond, a, b) => {
            let (cond, a, b) = (value(cond)?, value(a)?, value(b)?);
            Ok(if cond != 0 { a } else { b })
        }
        ExprKind::Own(Own::Parenthesised(inner)) => value(inner),
    }
}

fn unknown(name: &str, expr: &Expr<'_>, globals: &Globals<'_>) -> Diagnostic {
    if globals.locations.contains_key(name) {
        let message = format!("`{name}` is a location, not a constant");
        return Diagnostic::new(message, expr.range, "expected a constant expression");
    }
    let error = Diagnostic::new(format!("no constant `{name}`"), expr.range, "expected a constant declared above");
    match did_you_mean(name, globals.constants.keys().copied()) {
        Some(meant) => error.help(format!("did you mean `{meant}`?")),
        None => error,
    }
}

pub(super) fn ty(ty: &Type<'_>, globals: &Globals<'_>) -> Result<Ty, Diagnostic> {
    match ty {
        Type::Named(name) => match TYPES.iter().find(|(n, ..)| *n == name.text) {
            Some(("int", ..)) => Ok(Ty::Int),
            Some((_, lo, hi)) => Ok(Ty::Range { lo: *lo, hi: *hi }),
            None => {
                let error = Diagnostic::new(format!("no type `{}`", name.text), name.range, "expected a type");
                Err(error.help(match did_you_mean(name.text, TYPES.iter().map(|(n, ..)| *n)) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => "types are `int`, `bool`, `u8`, `u16`, `u32`, `i8`, `i16`, `i32` and `lo..hi`".to_owned(),
                }))
            }
        },
        Type::Range(lo, hi) => {
            let (lo, hi) = range(lo, hi, globals)?;
            Ok(Ty::Range { lo, hi })
        }
    }
}

/// `lo..hi`, which holds at least one value.
pub(super) fn range(lo: &Expr<'_>, hi: &Expr<'_>, globals: &Globals<'_>) -> Result<(Value, Value), Diagnostic> {
    let place = lo.range.to(hi.range);
    let (lo, hi) = (evaluate(lo, globals)?, evaluate(hi, globals)?);
    if lo <= hi {
        return Ok((lo, hi));
    }
    let message = format!("the range {lo}..{hi} is empty");
    Err(Diagnostic::new(message, place, "expected the smaller end first; both ends belong to the range"))
}
