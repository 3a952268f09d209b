//! Tokens to syntax tree: expressions.

use super::ast::*;
use super::parser::{Parsed, Parser, RESERVED};
use crate::diagnostic::Diagnostic;
use crate::limits::EXPRESSION_PARTS;
use crate::tokens::TokenKind;
use fencepost_program::UnaryOp;

impl<'t> Parser<'t> {
    pub(super) fn expression(&mut self) -> Parsed<Expr<'t>> {
        self.parts = 0;
        self.conditional()
    }

    /// `a, b, c)` after the opening parenthesis; gives the place of the closing one too.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr<'t>>> {
        let mut args = Vec::new();
        if self.cursor.eat(")") {
            return Ok(args);
        }
        loop {
            args.push(self.expression()?);
            if self.cursor.eat(")") {
                return Ok(args);
            }
            if !self.cursor.eat(",") {
                return Err(self.cursor.missing("`,` or `)`"));
            }
        }
    }

    fn conditional(&mut self) -> Parsed<Expr<'t>> {
        let cond = self.binary(0)?;
        if !self.cursor.eat("?") {
            return Ok(cond);
        }
        let yes = self.deeper(Self::conditional)?;
        self.cursor.expect(":")?;
        let no = self.deeper(Self::conditional)?;
        let range = cond.range.to(no.range);
        Ok(Expr { range, kind: ExprKind::Conditional(Box::new(cond), Box::new(yes), Box::new(no)) })
    }

    /// Operators that bind at least as tightly as `strength`, from left to right.
    fn binary(&mut self, strength: u8) -> Parsed<Expr<'t>> {
        let mut left = self.unary()?;
        loop {
            let TokenKind::Punctuation(sign) = self.cursor.peek().kind else { return Ok(left) };
            let Some(&(_, binds, operator)) = OPERATORS.iter().find(|(s, ..)| *s == sign) else { return Ok(left) };
            if binds < strength {
                return Ok(left);
            }
            self.count_part()?;
            self.cursor.advance();
            let right = self.binary(binds + 1)?;
            let range = left.range.to(right.range);
            left = Expr { range, kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)) };
        }
    }

    fn unary(&mut self) -> Parsed<Expr<'t>> {
        let token = self.cursor.peek();
        let op = match token.kind {
            TokenKind::Punctuation("-") => UnaryOp::Neg,
            TokenKind::Punctuation("!") => UnaryOp::Not,
            TokenKind::Punctuation("~") => UnaryOp::BitNot,
            _ => return self.primary(),
        };
        self.cursor.advance();
        let operand = self.deeper(Self::unary)?;
        Ok(Expr { range: token.range.to(operand.range), kind: ExprKind::Unary(op, Box::new(operand)) })
    }

    fn primary(&mut self) -> Parsed<Expr<'t>> {
        self.count_part()?;
        let token = self.cursor.peek();
        let kind = match (token.kind, self.cursor.word_at(0)) {
            (TokenKind::Integer(value), _) => ExprKind::Int(value),
            (TokenKind::Punctuation("("), _) => {
                self.cursor.advance();
                let inner = self.deeper(Self::conditional)?;
                self.cursor.expect(")")?;
                let range = self.here(token.range);
                return Ok(Expr { range, kind: ExprKind::Parenthesised(Box::new(inner)) });
            }
            (_, Some("true")) => ExprKind::Bool(true),
            (_, Some("false")) => ExprKind::Bool(false),
            (_, Some("self")) => ExprKind::SelfIndex,
            (_, Some(word)) if !RESERVED.contains(&word) => {
                self.refuse_access(word)?;
                ExprKind::Name(word)
            }
            (_, Some(word)) => {
                let message = format!("`{word}` is a reserved word");
                return Err(Diagnostic::new(message, token.range, "expected an expression"));
            }
            _ => return Err(self.cursor.expected("an expression")),
        };
        self.cursor.advance();
        Ok(Expr { range: token.range, kind })
    }

    /// An access or a call inside an expression would hide the order in which things happen.
    fn refuse_access(&self, word: &str) -> Parsed<()> {
        let what = match self.cursor.peek_at(1).kind {
            TokenKind::Punctuation("." | "[") => format!("`{word}` is accessed inside an expression"),
            TokenKind::Punctuation("(") => format!("`{word}` is called inside an expression"),
            _ => return Ok(()),
        };
        Err(Diagnostic::new(what, self.cursor.peek().range, "give this a statement of its own")
            .help("write `r = ...;` first, and use `r` here"))
    }

    fn deeper(&mut self, parse: fn(&mut Self) -> Parsed<Expr<'t>>) -> Parsed<Expr<'t>> {
        self.count_part()?;
        self.nested(parse)
    }

    fn count_part(&mut self) -> Parsed<()> {
        self.parts += 1;
        if self.parts <= EXPRESSION_PARTS {
            return Ok(());
        }
        let range = self.cursor.peek().range;
        Err(Diagnostic::new("this expression is too large", range, format!("more than {EXPRESSION_PARTS} parts")))
    }
}
