//! Tokens to syntax tree: expressions.

use super::ast::*;
use super::parser::{Parsed, Parser, RESERVED};
use crate::cursor::Cursor;
use crate::diagnostic::Diagnostic;
use crate::operators::Expressions;
use crate::tokens::TokenKind;

impl<'t> Expressions<'t> for Parser<'t> {
    type Own = Own<'t>;

    fn cursor(&mut self) -> &mut Cursor<'t> {
        &mut self.cursor
    }

    fn operand(&mut self) -> Parsed<Expr<'t>> {
        self.primary()
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
                return Ok(Expr { range, kind: ExprKind::Own(Own::Parenthesised(Box::new(inner))) });
            }
            (_, Some("true")) => ExprKind::Own(Own::Bool(true)),
            (_, Some("false")) => ExprKind::Own(Own::Bool(false)),
            (_, Some("self")) => ExprKind::Own(Own::SelfIndex),
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
