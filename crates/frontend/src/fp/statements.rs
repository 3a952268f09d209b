//! Tokens to syntax tree: statements.

use super::ast::*;
use super::parser::{ITEM_KEYWORDS, Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::limits;
use crate::operators::Expressions;
use crate::tokens::TokenKind;
use fencepost_program::Comparison;

impl<'t> Parser<'t> {
    pub(super) fn block(&mut self) -> Parsed<Block<'t>> {
        let start = self.cursor.expect("{")?;
        self.nested(|parser| {
            let mut statements = Vec::new();
            while !parser.cursor.eat("}") {
                if parser.cursor.at_end() {
                    return Err(parser.cursor.missing("`}`").and(start, "this block is not closed"));
                }
                let before = parser.cursor.position();
                match parser.statement() {
                    Ok(statement) => statements.push(statement),
                    Err(error) if parser.cursor.is_too_deep() => return Err(error),
                    Err(error) => {
                        parser.errors.push(error);
                        if parser.errors.len() >= limits::ERRORS || !parser.skip_statement(before) {
                            break;
                        }
                    }
                }
            }
            Ok(Block { range: parser.cursor.since(start), statements })
        })
    }

    /// Skips the rest of a statement with an error in it. False if no block can go on here.
    fn skip_statement(&mut self, started_at: usize) -> bool {
        let mut open = 0;
        while !self.cursor.at_end() {
            if self.cursor.word_at(0).is_some_and(|word| ITEM_KEYWORDS.contains(&word)) {
                return false;
            }
            let token = self.cursor.peek();
            match token.kind {
                TokenKind::Punctuation("{") => open += 1,
                TokenKind::Punctuation("}") if open == 0 => return true,
                TokenKind::Punctuation("}") => open -= 1,
                _ => {}
            }
            self.cursor.advance();
            let ends = matches!(token.kind, TokenKind::Punctuation(";" | "}"));
            if ends && open == 0 && self.cursor.position() > started_at {
                return true;
            }
        }
        false
    }

    /// A statement that is the body of another.
    fn body(&mut self) -> Parsed<Box<Stmt<'t>>> {
        let statement = self.nested(Self::statement)?;
        match statement.kind {
            StmtKind::Label(name) => Err(Diagnostic::new(
                format!("the label `{}` needs a block around it", name.text),
                name.range,
                "this would be the whole body",
            )
            .help("write `{ ... }` around the body")),
            _ => Ok(Box::new(statement)),
        }
    }

    fn statement(&mut self) -> Parsed<Stmt<'t>> {
        let start = self.cursor.peek().range;
        let kind = match self.cursor.word_at(0) {
            Some("if") => self.conditional_statement()?,
            Some("while") => {
                self.cursor.advance();
                let cond = self.parenthesised()?;
                StmtKind::While { cond, body: self.body()? }
            }
            Some("loop") => {
                self.cursor.advance();
                StmtKind::Loop(self.body()?)
            }
            Some("either") => self.either()?,
            Some(_) if self.cursor.is_at(1, ":") => {
                let name = self.name("a label")?;
                self.cursor.advance();
                StmtKind::Label(name)
            }
            None if self.cursor.is("{") => StmtKind::Block(self.block()?),
            _ => {
                let kind = self.simple_statement()?;
                let range = self.cursor.since(start);
                self.end_of_statement(&kind)?;
                return Ok(Stmt { range, kind });
            }
        };
        Ok(Stmt { range: self.cursor.since(start), kind })
    }

    fn end_of_statement(&mut self, kind: &StmtKind<'t>) -> Parsed<()> {
        if self.cursor.eat(";") {
            return Ok(());
        }
        let error = self.cursor.missing("`;`");
        let after_access = matches!(
            kind,
            StmtKind::Assign { value: Source::Access(_) | Source::Call(_), .. }
                | StmtKind::Perform(_)
                | StmtKind::Var { value: Some(Source::Access(_) | Source::Call(_)), .. }
        );
        let operator = matches!(self.cursor.peek().kind,
            TokenKind::Punctuation(sign) if OPERATORS.iter().any(|(s, ..)| *s == sign));
        Err(if after_access && operator {
            error.help("an access or a call is a statement of its own: keep its result in a register first")
        } else {
            error
        })
    }

    /// A statement that ends with a semicolon.
    fn simple_statement(&mut self) -> Parsed<StmtKind<'t>> {
        let word = self.cursor.word_at(0);
        if let Some("wait" | "fence" | "assert" | "assume" | "break" | "continue" | "goto" | "return" | "var") = word {
            self.cursor.advance();
        }
        Ok(match word {
            Some("wait") => self.wait()?,
            Some("fence") => StmtKind::Fence(self.parenthesised()?),
            Some("assert") => StmtKind::Assert(self.parenthesised()?),
            Some("assume") => StmtKind::Assume(self.parenthesised()?),
            Some("break") => StmtKind::Break,
            Some("continue") => StmtKind::Continue,
            Some("goto") => StmtKind::Goto(self.name("a label")?),
            Some("return") if self.cursor.is(";") => StmtKind::Return(None),
            Some("return") => StmtKind::Return(Some(self.expression()?)),
            Some("var") => {
                let name = self.name("a name for the register")?;
                let ty = if self.cursor.eat(":") { Some(self.ty()?) } else { None };
                let value = if self.cursor.eat("=") { Some(self.source()?) } else { None };
                StmtKind::Var { name, ty, value }
            }
            None if self.cursor.is("(") => self.pair_assignment()?,
            Some("else") => {
                return Err(Diagnostic::new("`else` without an `if`", self.cursor.peek().range, ""));
            }
            Some("or") => {
                return Err(Diagnostic::new("`or` without an `either`", self.cursor.peek().range, ""));
            }
            Some("choose" | "self" | "true" | "false") => {
                return Err(self.cursor.expected("a statement").help("keep its value: `r = ...;`"));
            }
            Some(_) if self.cursor.is_at(1, "=") => {
                let target = Target::One(self.name("a register")?);
                self.cursor.advance();
                StmtKind::Assign { target, value: self.source()? }
            }
            Some(_) if self.cursor.is_at(1, "(") => StmtKind::Perform(Source::Call(self.call()?)),
            Some(_) if self.cursor.is_at(1, ".") || self.cursor.is_at(1, "[") => {
                let place = self.place()?;
                if self.cursor.is("=") {
                    let range = self.cursor.peek().range;
                    return Err(Diagnostic::new("a location cannot be assigned to", range, "expected `.store(...)`")
                        .and(place.range, "a location")
                        .help(format!("write `{}.store(value, ordering);`", place.range.of(self.cursor.text))));
                }
                StmtKind::Perform(Source::Access(self.access(place)?))
            }
            Some(word) if !super::parser::RESERVED.contains(&word) => {
                self.cursor.advance();
                return Err(self.cursor.missing("`=`, `.`, `[`, `(` or `:`"));
            }
            _ => return Err(self.cursor.expected("a statement")),
        })
    }

    fn conditional_statement(&mut self) -> Parsed<StmtKind<'t>> {
        self.cursor.advance();
        let cond = self.parenthesised()?;
        let then = self.body()?;
        let otherwise = if self.cursor.eat_word("else") { Some(self.body()?) } else { None };
        Ok(StmtKind::If { cond, then, otherwise })
    }

    fn either(&mut self) -> Parsed<StmtKind<'t>> {
        let range = self.cursor.advance().range;
        let mut blocks = vec![self.block()?];
        while self.cursor.eat_word("or") {
            blocks.push(self.block()?);
        }
        if blocks.len() == 1 {
            return Err(self.cursor.missing("`or`").and(range, "nothing to choose from"));
        }
        Ok(StmtKind::Either(blocks))
    }

    fn wait(&mut self) -> Parsed<StmtKind<'t>> {
        self.cursor.expect("(")?;
        let place = self.place()?;
        let comparison = self.comparison("write `wait(x == e, ordering);`")?;
        let value = self.expression()?;
        if !self.cursor.eat(",") {
            return Err(self.cursor.missing("`,` and an ordering"));
        }
        let order = self.expression()?;
        self.cursor.expect(")")?;
        Ok(StmtKind::Wait { place, comparison, value, order })
    }

    fn comparison(&mut self, help: &str) -> Parsed<Comparison> {
        let mut all = [Comparison::Eq, Comparison::Ne, Comparison::Ge].into_iter();
        let found = all.find(|comparison| self.cursor.eat(comparison.sign()));
        found.ok_or_else(|| self.cursor.missing("`==`, `!=` or `>=`").help(help))
    }

    fn pair_assignment(&mut self) -> Parsed<StmtKind<'t>> {
        self.cursor.advance();
        let ok = self.name("a register")?;
        self.cursor.expect(",")?;
        let old = self.name("a register")?;
        self.cursor.expect(")")?;
        self.cursor.expect("=")?;
        Ok(StmtKind::Assign { target: Target::Pair(ok, old), value: self.source()? })
    }

    /// The right-hand side of an assignment.
    fn source(&mut self) -> Parsed<Source<'t>> {
        let word = self.cursor.word_at(0);
        if word == Some("choose") {
            self.cursor.advance();
            self.cursor.expect("(")?;
            let (lo, hi) = self.value_range()?;
            self.cursor.expect(")")?;
            return Ok(Source::Choose(lo, hi));
        }
        match (word, self.cursor.peek_at(1).kind) {
            (Some(_), TokenKind::Punctuation("(")) => Ok(Source::Call(self.call()?)),
            (Some(_), TokenKind::Punctuation("." | "[")) => {
                let place = self.place()?;
                Ok(Source::Access(self.access(place)?))
            }
            _ => Ok(Source::Expr(self.expression()?)),
        }
    }

    fn call(&mut self) -> Parsed<Call<'t>> {
        let name = self.name("a procedure")?;
        self.cursor.expect("(")?;
        let args = self.arguments(Self::expression)?;
        Ok(Call { range: self.cursor.since(name.range), name, args })
    }

    fn place(&mut self) -> Parsed<Place<'t>> {
        let name = self.name("a location")?;
        let index = self.bracketed()?;
        Ok(Place { range: self.cursor.since(name.range), name, index })
    }

    fn access(&mut self, place: Place<'t>) -> Parsed<Access<'t>> {
        if !self.cursor.eat(".") {
            return Err(self.cursor.missing("`.` and an access").help("such as `.load(acq)`"));
        }
        let range = self.cursor.peek().range;
        let Some(text) = self.cursor.word_at(0) else { return Err(self.cursor.expected("an access")) };
        self.cursor.advance();
        self.cursor.expect("(")?;
        let args = self.arguments(Self::expression)?;
        let when = match self.cursor.eat_word("when") {
            true => Some((self.comparison("write `when == e`")?, self.expression()?)),
            false => None,
        };
        Ok(Access { range: self.cursor.since(place.range), place, method: Name { text, range }, args, when })
    }

    fn parenthesised(&mut self) -> Parsed<Expr<'t>> {
        self.cursor.expect("(")?;
        let inner = self.expression()?;
        self.cursor.expect(")")?;
        Ok(inner)
    }
}
