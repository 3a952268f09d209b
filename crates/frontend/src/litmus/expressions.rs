//! Tokens to syntax tree: C expressions.

use super::ast::*;
use super::parser::{Parsed, Parser};
use super::statements::UNSUPPORTED;
use super::types;
use crate::cursor::Cursor;
use crate::operators::Expressions;
use crate::tokens::TokenKind;

impl<'t> Expressions<'t> for Parser<'t> {
    type Own = Own<'t>;

    fn cursor(&mut self) -> &mut Cursor<'t> {
        &mut self.cursor
    }

    fn operand(&mut self) -> Parsed<Expr<'t>> {
        let token = self.cursor.peek();
        let wrap: fn(Box<Expr<'t>>) -> Own<'t> = match token.kind {
            TokenKind::Punctuation("*") => Own::Deref,
            TokenKind::Punctuation("&") => Own::AddressOf,
            // A cast changes nothing: a value is brought to its type where it is stored.
            TokenKind::Punctuation("(") if self.cursor.word_at(1).is_some_and(types::is_type_word) => {
                self.cursor.advance();
                types::parse(&mut self.cursor)?;
                self.cursor.expect(")")?;
                return self.deeper(Self::unary);
            }
            _ => return self.postfix(),
        };
        self.cursor.advance();
        let operand = self.deeper(Self::unary)?;
        Ok(Expr { range: token.range.to(operand.range), kind: ExprKind::Own(wrap(Box::new(operand))) })
    }
}

impl<'t> Parser<'t> {
    fn postfix(&mut self) -> Parsed<Expr<'t>> {
        let mut expr = self.primary()?;
        while self.cursor.eat("[") {
            let index = self.deeper(Self::conditional)?;
            self.cursor.expect("]")?;
            let range = self.cursor.since(expr.range);
            expr = Expr { range, kind: ExprKind::Own(Own::Index(Box::new(expr), Box::new(index))) };
        }
        Ok(expr)
    }

    fn primary(&mut self) -> Parsed<Expr<'t>> {
        self.cursor.count_part()?;
        let token = self.cursor.peek();
        let kind = match (token.kind, self.cursor.word_at(0)) {
            (TokenKind::Integer(value), _) => ExprKind::Int(value),
            (TokenKind::Punctuation("("), _) => {
                self.cursor.advance();
                let inner = self.deeper(Self::conditional)?;
                self.cursor.expect(")")?;
                return Ok(Expr { range: self.cursor.since(token.range), ..inner });
            }
            (_, Some("true")) => ExprKind::Int(1),
            (_, Some("false")) => ExprKind::Int(0),
            (_, Some(text)) if self.cursor.is_at(1, "(") => {
                self.cursor.advance();
                self.cursor.advance();
                let args = self.arguments(|parser| parser.deeper(Self::conditional))?;
                ExprKind::Own(Own::Call(Name { text, range: token.range }, args))
            }
            (_, Some(text)) if !UNSUPPORTED.contains(&text) => ExprKind::Name(text),
            _ => return Err(self.cursor.expected("an expression")),
        };
        if let ExprKind::Own(Own::Call(..)) = kind {
            return Ok(Expr { range: self.cursor.since(token.range), kind });
        }
        self.cursor.advance();
        Ok(Expr { range: token.range, kind })
    }
}
