//! Tokens to syntax tree: the C code of the threads.

use super::ast::*;
use super::parser::{Parsed, Parser};
use super::types;
use crate::diagnostic::Diagnostic;
use crate::limits::{ERRORS, EXPRESSION_PARTS};
use crate::operators::OPERATORS;
use crate::tokens::TokenKind;
use fencepost_program::UnaryOp;

const UNSUPPORTED: &[&str] = &["for", "switch", "goto", "case", "default", "struct", "sizeof", "typedef"];

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
                let range = self.here(start);
                self.cursor.expect(";")?;
                return Ok(Stmt { range, kind });
            }
        };
        Ok(Stmt { range: self.here(start), kind })
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

    fn expression(&mut self) -> Parsed<Expr<'t>> {
        self.parts = 0;
        self.conditional()
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
        let wrap: fn(Box<Expr<'t>>) -> ExprKind<'t> = match token.kind {
            TokenKind::Punctuation("-") => |e| ExprKind::Unary(UnaryOp::Neg, e),
            TokenKind::Punctuation("!") => |e| ExprKind::Unary(UnaryOp::Not, e),
            TokenKind::Punctuation("~") => |e| ExprKind::Unary(UnaryOp::BitNot, e),
            TokenKind::Punctuation("*") => ExprKind::Deref,
            TokenKind::Punctuation("&") => ExprKind::AddressOf,
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
        Ok(Expr { range: token.range.to(operand.range), kind: wrap(Box::new(operand)) })
    }

    fn postfix(&mut self) -> Parsed<Expr<'t>> {
        let mut expr = self.primary()?;
        while self.cursor.eat("[") {
            let index = self.deeper(Self::conditional)?;
            self.cursor.expect("]")?;
            let range = self.here(expr.range);
            expr = Expr { range, kind: ExprKind::Index(Box::new(expr), Box::new(index)) };
        }
        Ok(expr)
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
                return Ok(Expr { range: self.here(token.range), ..inner });
            }
            (_, Some("true")) => ExprKind::Int(1),
            (_, Some("false")) => ExprKind::Int(0),
            (_, Some(text)) if self.cursor.is_at(1, "(") => {
                self.cursor.advance();
                self.cursor.advance();
                let args = self.arguments()?;
                ExprKind::Call(Name { text, range: token.range }, args)
            }
            (_, Some(text)) if !UNSUPPORTED.contains(&text) => ExprKind::Name(text),
            _ => return Err(self.cursor.expected("an expression")),
        };
        if let ExprKind::Call(..) = kind {
            return Ok(Expr { range: self.here(token.range), kind });
        }
        self.cursor.advance();
        Ok(Expr { range: token.range, kind })
    }

    /// What stands between the parentheses of a call, with the closing one.
    fn arguments(&mut self) -> Parsed<Vec<Expr<'t>>> {
        let mut args = Vec::new();
        if self.cursor.eat(")") {
            return Ok(args);
        }
        loop {
            args.push(self.deeper(Self::conditional)?);
            if self.cursor.eat(")") {
                return Ok(args);
            }
            if !self.cursor.eat(",") {
                return Err(self.cursor.missing("`,` or `)`"));
            }
        }
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
