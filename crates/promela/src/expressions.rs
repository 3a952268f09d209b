//! Expressions in Promela, which computes in 32 bits. Where a result might not fit, a condition comes with it.

use fencepost_program::code::Interval;
use fencepost_program::{ArithmeticOp, Ty, UnaryOp, UpdateOp, Value};

use crate::analysis::{Analysis, wraps};
use crate::flat::Expr;
use crate::range::{self, INT};
use crate::text::literal;

/// An expression with the values that it can have.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub text: String,
    pub range: Interval,
}

impl Text {
    pub(crate) fn new(text: impl Into<String>, range: Interval) -> Text {
        let text = range.as_constant().map_or_else(|| text.into(), literal);
        Text { text, range }
    }
}

/// Prints the expressions of one line.
pub(crate) struct Printer<'a> {
    pub analysis: &'a Analysis<'a>,
    pub registers: &'a [String],
    pub pc: usize,
    /// Conditions under which a result does not fit.
    pub beyond: Vec<String>,
    /// Conditions under which something is divided by zero.
    pub zero: Vec<String>,
}

impl Printer<'_> {
    pub(crate) fn print(&mut self, expr: &Expr) -> Text {
        match expr {
            Expr::Const(v) => Text::new(literal(*v), Interval::constant(*v)),
            Expr::Register(r) => Text::new(self.registers[*r].clone(), self.analysis.value(self.pc, expr)),
            Expr::Unary(op, a) => {
                let a = self.print(a);
                self.unary(*op, a)
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.print(a), self.print(b));
                self.binary(*op, a, b)
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, a: Text) -> Text {
        self.limit(&a, range::unary_limit(op));
        let sign = unary_sign(op).unwrap_or_default();
        Text::new(format!("({sign}{})", a.text), range::unary(op, a.range))
    }

    fn binary(&mut self, op: ArithmeticOp, a: Text, b: Text) -> Text {
        let (a_limit, b_limit) = range::operand_limits(op, a.range, b.range);
        self.limit(&a, a_limit);
        self.limit(&b, b_limit);
        if op.divides() && b.range.contains(0) {
            self.zero.push(format!("{} == 0", b.text));
        }
        let sign = sign(op).unwrap_or_default();
        Text::new(format!("({} {sign} {})", a.text, b.text), range::binary(op, a.range, b.range))
    }

    /// What an RMW writes over the value in `old`.
    pub(crate) fn update(&mut self, op: UpdateOp, old: Text, operand: Text) -> Text {
        let range = range::updated(op, old.range, operand.range);
        let choice = |sign: &str| Text::new(format!("({0} {sign} {1} -> {0} : {1})", old.text, operand.text), range);
        match op {
            UpdateOp::Exchange => operand,
            UpdateOp::Add | UpdateOp::Sub | UpdateOp::And | UpdateOp::Or | UpdateOp::Xor => match op.arithmetic() {
                Some(op) => self.binary(op, old, operand),
                None => operand,
            },
            UpdateOp::Nand => {
                let both = self.binary(ArithmeticOp::And, old, operand);
                self.unary(UnaryOp::BitNot, both)
            }
            UpdateOp::Min | UpdateOp::UMin => choice("<"),
            UpdateOp::Max | UpdateOp::UMax => choice(">"),
        }
    }

    /// Wraps a value into a type.
    pub(crate) fn wrap(&mut self, ty: Ty, value: Text) -> Text {
        if !wraps(ty, value.range) {
            return value;
        }
        let to = Interval::of(ty);
        let result = range::wrapped(ty, value.range);
        let size = to.hi.saturating_sub(to.lo).saturating_add(1);
        if !to.is_within(INT) || size > 1 << 30 {
            self.limit(&value, to);
            return Text::new(value.text, result);
        }
        let from_lo = match to.lo {
            0 => value,
            lo => self.binary(ArithmeticOp::Sub, value, Text::new("", Interval::constant(lo))),
        };
        let positive = from_lo.range.lo >= 0;
        let text = match (positive, to.lo) {
            (true, 0) => format!("({} % {size})", from_lo.text),
            (true, lo) => format!("({} + {} % {size})", literal(lo), from_lo.text),
            (false, 0) => format!("(({} % {size} + {size}) % {size})", from_lo.text),
            (false, lo) => format!("({} + ({} % {size} + {size}) % {size})", literal(lo), from_lo.text),
        };
        Text::new(text, result)
    }

    /// Notes when a value lies beyond a range.
    pub(crate) fn limit(&mut self, value: &Text, range: Interval) {
        if value.range.lo < range.lo {
            self.beyond.push(format!("{} < {}", value.text, literal(range.lo)));
        }
        if value.range.hi > range.hi {
            self.beyond.push(format!("{} > {}", value.text, literal(range.hi)));
        }
    }
}

/// How Promela writes an operation on two values of `.fp` or `.litmus`; only C programs have the others.
pub(crate) fn sign(op: ArithmeticOp) -> Option<&'static str> {
    Some(match op {
        ArithmeticOp::Add => "+",
        ArithmeticOp::Sub => "-",
        ArithmeticOp::Mul => "*",
        ArithmeticOp::WrappingDiv => "/",
        ArithmeticOp::WrappingRem => "%",
        ArithmeticOp::And => "&",
        ArithmeticOp::Or => "|",
        ArithmeticOp::Xor => "^",
        ArithmeticOp::WrappingShl => "<<",
        ArithmeticOp::WrappingShr => ">>",
        ArithmeticOp::Eq => "==",
        ArithmeticOp::Ne => "!=",
        ArithmeticOp::SLt => "<",
        ArithmeticOp::SLe => "<=",
        _ => return None,
    })
}

pub(crate) fn unary_sign(op: UnaryOp) -> Option<&'static str> {
    Some(match op {
        UnaryOp::Neg => "-",
        UnaryOp::Not => "!",
        UnaryOp::BitNot => "~",
        _ => return None,
    })
}

/// Whether a value is one of some; `None` if it certainly is.
pub(crate) fn not_among(value: &Text, among: &[Value]) -> Option<String> {
    let unlisted = |range: Interval| {
        let listed = among.iter().filter(|&&v| range.contains(v)).count();
        range.hi.abs_diff(range.lo) >= listed as u64
    };
    if !unlisted(value.range) {
        return None;
    }
    let Some(whole) = Interval::hull(among.iter().copied()) else { return Some("true".to_owned()) };
    if !unlisted(whole) {
        let (lo, hi) = (literal(whole.lo), literal(whole.hi));
        return Some(format!("({0} < {lo} || {0} > {hi})", value.text));
    }
    let known: Vec<String> = among.iter().map(|v| format!("{} == {}", value.text, literal(*v))).collect();
    Some(format!("!({})", known.join(" || ")))
}
