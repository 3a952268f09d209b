//! The binary operators, which `.fp` takes from C with their binding strengths, and the parser of what they make.

use crate::cursor::Cursor;
use crate::diagnostic::Diagnostic;
use crate::expression::{Expr, ExprKind};
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

type Parsed<'t, Own> = Result<Expr<'t, Own>, Diagnostic>;

/// A parser of the expressions of a language.
pub(crate) trait Expressions<'t>: Sized {
    type Own;

    fn cursor(&mut self) -> &mut Cursor<'t>;

    /// An operand, with the operators of this language alone before and behind it.
    fn operand(&mut self) -> Parsed<'t, Self::Own>;

    fn expression(&mut self) -> Parsed<'t, Self::Own> {
        self.cursor().start_expression();
        self.conditional()
    }

    fn conditional(&mut self) -> Parsed<'t, Self::Own> {
        let cond = self.binary(0)?;
        if !self.cursor().eat("?") {
            return Ok(cond);
        }
        let yes = self.deeper(Self::conditional)?;
        self.cursor().expect(":")?;
        let no = self.deeper(Self::conditional)?;
        let range = cond.range.to(no.range);
        Ok(Expr { range, kind: ExprKind::Conditional(Box::new(cond), Box::new(yes), Box::new(no)) })
    }

    /// Operators that bind at least as tightly as `strength`, from left to right.
    fn binary(&mut self, strength: u8) -> Parsed<'t, Self::Own> {
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
            let range = left.range.to(right.range);
            left = Expr { range, kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)) };
        }
    }

    /// An operand with the operators before and behind it.
    fn unary(&mut self) -> Parsed<'t, Self::Own> {
        let token = self.cursor().peek();
        let TokenKind::Punctuation(sign) = token.kind else { return self.operand() };
        let Some(&(_, op)) = UNARY_OPERATORS.iter().find(|(s, _)| *s == sign) else { return self.operand() };
        self.cursor().advance();
        let operand = self.deeper(Self::unary)?;
        Ok(Expr { range: token.range.to(operand.range), kind: ExprKind::Unary(op, Box::new(operand)) })
    }

    /// A part of an expression that makes its tree one level higher.
    fn deeper(&mut self, parse: fn(&mut Self) -> Parsed<'t, Self::Own>) -> Parsed<'t, Self::Own> {
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
        argument: fn(&mut Self) -> Parsed<'t, Self::Own>,
    ) -> Result<Vec<Expr<'t, Self::Own>>, Diagnostic> {
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
