//! Tokens to syntax tree: expressions.

use super::ast::*;
use super::parser::{Parsed, Parser, RESERVED};
use crate::cursor::Cursor;
use crate::diagnostic::Diagnostic;
use crate::operators::Expressions;
use crate::tokens::TokenKind;

impl<'t> Expressions<'t> for Parser<'t> {
    type Expr = Expr<'t>;

    fn cursor(&mut self) -> &mut Cursor<'t> {
        &mut self.cursor
    }

    fn make_binary(operator: Operator, left: Expr<'t>, right: Expr<'t>) -> Expr<'t> {
        let range = left.range.to(right.range);
        Expr { range, kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)) }
    }

    fn make_conditional(cond: Expr<'t>, yes: Expr<'t>, no: Expr<'t>) -> Expr<'t> {
        let range = cond.range.to(no.range);
        Expr { range, kind: ExprKind::Conditional(Box::new(cond), Box::new(yes), Box::new(no)) }
    }

    fn unary(&mut self) -> Parsed<Expr<'t>> {
        let token = self.cursor.peek();
        let TokenKind::Punctuation(sign) = token.kind else { return self.primary() };
        let Some(&(_, op)) = UNARY_OPERATORS.iter().find(|(s, _)| *s == sign) else { return self.primary() };
        self.cursor.advance();
        let operand = self.deeper(Self::unary)?;
        Ok(Expr { range: token.range.to(operand.range), kind: ExprKind::Unary(op, Box::new(operand)) })
    }
}

impl<'t> Parser<'t> {
    fn primary(&mut self) -> Parsed<Expr<'t>> {
        self.cursor.count_part()?;
        let token = self.cursor.peek();
        let kind = match (token.kind, self.cursor.word_at(0)) {
            (TokenKind::Integer(value), _) => ExprKind::Int(value),
            (TokenKind::Punctuation("("), _) => {
                self.cursor.advance();
                let inner = self.deeper(Self::conditional)?;
                self.cursor.expect(")")?;
                let range = self.cursor.since(token.range);
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
}
