//! The binary operators, which `.fp` takes from C with their binding strengths, and the parser of what they make.

use crate::cursor::Cursor;
use crate::diagnostic::Diagnostic;
use crate::tokens::TokenKind;
use fencepost_program::{ArithmeticOp, UnaryOp};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Plain(ArithmeticOp),
    /// `a > b` is `b < a`, and so on.
    Swapped(ArithmeticOp),
    LogicalAnd,
    LogicalOr,
}

/// Binary operators, loosest first, with their binding strength.
pub(crate) const OPERATORS: &[(&str, u8, Operator)] = &[
    ("||", 1, Operator::LogicalOr),
    ("&&", 2, Operator::LogicalAnd),
    ("|", 3, Operator::Plain(ArithmeticOp::Or)),
    ("^", 4, Operator::Plain(ArithmeticOp::Xor)),
    ("&", 5, Operator::Plain(ArithmeticOp::And)),
    ("==", 6, Operator::Plain(ArithmeticOp::Eq)),
    ("!=", 6, Operator::Plain(ArithmeticOp::Ne)),
    ("<", 7, Operator::Plain(ArithmeticOp::SLt)),
    ("<=", 7, Operator::Plain(ArithmeticOp::SLe)),
    (">", 7, Operator::Swapped(ArithmeticOp::SLt)),
    (">=", 7, Operator::Swapped(ArithmeticOp::SLe)),
    ("<<", 8, Operator::Plain(ArithmeticOp::WrappingShl)),
    (">>", 8, Operator::Plain(ArithmeticOp::WrappingShr)),
    ("+", 9, Operator::Plain(ArithmeticOp::Add)),
    ("-", 9, Operator::Plain(ArithmeticOp::Sub)),
    ("*", 10, Operator::Plain(ArithmeticOp::Mul)),
    ("/", 10, Operator::Plain(ArithmeticOp::WrappingDiv)),
    ("%", 10, Operator::Plain(ArithmeticOp::WrappingRem)),
];

/// The operators before an operand.
pub(crate) const UNARY_OPERATORS: &[(&str, UnaryOp)] =
    &[("-", UnaryOp::Neg), ("!", UnaryOp::Not), ("~", UnaryOp::BitNot)];

/// A parser of expressions: what it says of its operands, the rest follows.
pub(crate) trait Expressions<'t>: Sized {
    type Expr;

    fn cursor(&mut self) -> &mut Cursor<'t>;

    /// An operand with the operators before and behind it.
    fn unary(&mut self) -> Result<Self::Expr, Diagnostic>;

    fn make_binary(operator: Operator, left: Self::Expr, right: Self::Expr) -> Self::Expr;

    fn make_conditional(cond: Self::Expr, yes: Self::Expr, no: Self::Expr) -> Self::Expr;

    fn expression(&mut self) -> Result<Self::Expr, Diagnostic> {
        self.cursor().start_expression();
        self.conditional()
    }

    fn conditional(&mut self) -> Result<Self::Expr, Diagnostic> {
        let cond = self.binary(0)?;
        if !self.cursor().eat("?") {
            return Ok(cond);
        }
        let yes = self.deeper(Self::conditional)?;
        self.cursor().expect(":")?;
        let no = self.deeper(Self::conditional)?;
        Ok(Self::make_conditional(cond, yes, no))
    }

    /// Operators that bind at least as tightly as `strength`, from left to right.
    fn binary(&mut self, strength: u8) -> Result<Self::Expr, Diagnostic> {
        let mut left = self.unary()?;
        loop {
            let TokenKind::Punctuation(sign) = self.cursor().peek().kind else { return Ok(left) };
            let Some(&(_, binds, operator)) = OPERATORS.iter().find(|(s, ..)| *s == sign) else { return Ok(left) };
            if binds < strength {
                return Ok(left);
            }
            self.cursor().count_part()?;
            self.cursor().advance();
            let right = self.binary(binds + 1)?;
            left = Self::make_binary(operator, left, right);
        }
    }

    /// A part of an expression that makes its tree one level higher.
    fn deeper(&mut self, parse: fn(&mut Self) -> Result<Self::Expr, Diagnostic>) -> Result<Self::Expr, Diagnostic> {
        self.cursor().count_part()?;
        self.nested(parse)
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, Diagnostic>) -> Result<T, Diagnostic> {
        self.cursor().enter()?;
        let result = parse(self);
        self.cursor().leave();
        result
    }

    /// `a, b, c)` after the opening parenthesis.
    fn arguments(
        &mut self,
        argument: fn(&mut Self) -> Result<Self::Expr, Diagnostic>,
    ) -> Result<Vec<Self::Expr>, Diagnostic> {
        let mut args = Vec::new();
        if self.cursor().eat(")") {
            return Ok(args);
        }
        loop {
            args.push(argument(self)?);
            if self.cursor().eat(")") {
                return Ok(args);
            }
            if !self.cursor().eat(",") {
                return Err(self.cursor().missing("`,` or `)`"));
            }
        }
    }
}
