//! Tokens to syntax tree: C statements.

use super::ast::*;
use super::parser::{Parsed, Parser};
use super::types;
use crate::diagnostic::Diagnostic;
use crate::limits::ERRORS;
use crate::operators::Expressions;
use crate::tokens::TokenKind;

pub(super) const UNSUPPORTED: &[&str] = &["for", "switch", "goto", "case", "default", "struct", "sizeof", "typedef"];

impl<'t> Parser<'t> {
    pub(super) fn block(&mut self) -> Parsed<Vec<Stmt<'t>>> {
        let start = self.cursor.expect("{")?;
        self.nested(|parser| {
            let mut statements = Vec::new();
            while !parser.cursor.eat("}") {
                if parser.cursor.at_end() {
                    return Err(parser.cursor.missing("`}`").and(start, "this block is not closed"));
                }
                match parser.statement() {
                    Ok(statement) => statements.push(statement),
                    Err(error) if parser.cursor.is_too_deep() || parser.errors.len() + 1 >= ERRORS => {
                        return Err(error);
                    }
                    Err(error) => {
                        parser.errors.push(error);
                        parser.skip_statement();
                    }
                }
            }
            Ok(statements)
        })
    }

    /// After an error, goes on behind the next `;` or before the next `}`.
    fn skip_statement(&mut self) {
        let mut open = 0;
        while !self.cursor.at_end() {
            match self.cursor.peek().kind {
                TokenKind::Punctuation("{") => open += 1,
                TokenKind::Punctuation("}") if open == 0 => return,
                TokenKind::Punctuation("}") => open -= 1,
                TokenKind::Punctuation(";") if open == 0 => {
                    self.cursor.advance();
                    return;
                }
                _ => {}
            }
            self.cursor.advance();
        }
    }

    fn body(&mut self) -> Parsed<Box<Stmt<'t>>> {
        Ok(Box::new(self.nested(Self::statement)?))
    }

    fn statement(&mut self) -> Parsed<Stmt<'t>> {
        let start = self.cursor.peek().range;
        let word = self.cursor.word_at(0);
        let kind = match word {
            _ if self.cursor.is("{") => StmtKind::Block(self.block()?),
            _ if self.cursor.eat(";") => StmtKind::Block(Vec::new()),
            Some("if") => {
                self.cursor.advance();
                let cond = self.parenthesised()?;
                let then = self.body()?;
                let otherwise = if self.cursor.eat_word("else") { Some(self.body()?) } else { None };
                StmtKind::If(cond, then, otherwise)
            }
            Some("while") => {
                self.cursor.advance();
                let cond = self.parenthesised()?;
                StmtKind::While(cond, self.body()?)
            }
            Some(word) if UNSUPPORTED.contains(&word) => {
                return Err(Diagnostic::new(format!("`{word}` is not supported in litmus tests"), start, ""));
            }
            _ => {
                let kind = self.simple_statement()?;
                let range = self.cursor.since(start);
                self.cursor.expect(";")?;
                return Ok(Stmt { range, kind });
            }
        };
        Ok(Stmt { range: self.cursor.since(start), kind })
    }

    /// A statement that ends with a semicolon.
    fn simple_statement(&mut self) -> Parsed<StmtKind<'t>> {
        match self.cursor.word_at(0) {
            Some("do") => {
                self.cursor.advance();
                let body = self.body()?;
                if !self.cursor.eat_word("while") {
                    return Err(self.cursor.missing("`while`"));
                }
                return Ok(StmtKind::DoWhile(body, self.parenthesised()?));
            }
            Some("break") => {
                self.cursor.advance();
                return Ok(StmtKind::Break);
            }
            Some("continue") => {
                self.cursor.advance();
                return Ok(StmtKind::Continue);
            }
            Some("return") => {
                self.cursor.advance();
                return Ok(StmtKind::Return);
            }
            Some(word) if types::is_type_word(word) || self.cursor.word_at(1).is_some() => return self.declaration(),
            _ => {}
        }
        let target = self.expression()?;
        if self.cursor.eat("=") {
            return Ok(StmtKind::Assign(target, self.expression()?));
        }
        if let TokenKind::Punctuation(sign @ ("+=" | "-=" | "++" | "--")) = self.cursor.peek().kind {
            let range = self.cursor.peek().range;
            return Err(Diagnostic::new(format!("`{sign}` is not supported"), range, "write the sum out"));
        }
        Ok(StmtKind::Evaluate(target))
    }

    fn declaration(&mut self) -> Parsed<StmtKind<'t>> {
        let ty = types::parse(&mut self.cursor)?;
        if ty.pointers > 0 || ty.void {
            return Err(Diagnostic::new(
                "a local variable has to be an integer",
                ty.range,
                "expected `int` or the like",
            ));
        }
        let mut names = Vec::new();
        loop {
            let name = self.name("a name")?;
            let value = if self.cursor.eat("=") { Some(self.expression()?) } else { None };
            names.push((name, value));
            if !self.cursor.eat(",") {
                return Ok(StmtKind::Declare(ty, names));
            }
        }
    }

    fn parenthesised(&mut self) -> Parsed<Expr<'t>> {
        self.cursor.expect("(")?;
        let inner = self.expression()?;
        self.cursor.expect(")")?;
        Ok(inner)
    }
}
