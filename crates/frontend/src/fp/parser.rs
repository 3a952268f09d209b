//! Tokens to syntax tree: declarations. After an error the parser goes on at the next statement or declaration.

use super::ast::*;
use crate::cursor::Cursor;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::limits;
use crate::operators::Expressions;
use crate::tokens::{Dialect, Token, TokenKind, Tokens};

pub(crate) const DIALECT: Dialect = Dialect {
    punctuation: &[
        "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "..", "{", "}", "(", ")", "[", "]", ";", ",", ".", ":", "=",
        "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "?",
    ],
    ml_comments: false,
};

pub(super) const ITEM_KEYWORDS: &[&str] = &["const", "atomic", "nonatomic", "fn", "thread"];

/// Words that cannot be names. Orderings can: `acquire` is a good name for a procedure.
pub(super) const RESERVED: &[&str] = &[
    "const",
    "atomic",
    "nonatomic",
    "fn",
    "thread",
    "self",
    "true",
    "false",
    "var",
    "wait",
    "fence",
    "assert",
    "assume",
    "choose",
    "either",
    "or",
    "if",
    "else",
    "while",
    "loop",
    "break",
    "continue",
    "goto",
    "return",
];

pub(super) type Parsed<T> = Result<T, Diagnostic>;

pub(super) struct Parser<'t> {
    pub cursor: Cursor<'t>,
    pub errors: Vec<Diagnostic>,
}

pub(super) fn parse<'t>(text: &'t str, tokens: &'t Tokens) -> Result<Vec<Item<'t>>, Vec<Diagnostic>> {
    let mut parser = Parser { cursor: Cursor::new(text, tokens), errors: Vec::new() };
    let mut items = Vec::new();
    while !parser.cursor.at_end() && parser.errors.len() < limits::ERRORS {
        match parser.item() {
            Ok(item) => items.push(item),
            Err(error) => {
                parser.errors.push(error);
                if parser.cursor.is_too_deep() {
                    break;
                }
                parser.skip_to_item();
            }
        }
    }
    if parser.errors.is_empty() { Ok(items) } else { Err(parser.errors) }
}

impl<'t> Parser<'t> {
    fn item(&mut self) -> Parsed<Item<'t>> {
        let start = self.cursor.peek().range;
        let kind = match self.cursor.word_at(0) {
            Some("const") => {
                self.cursor.advance();
                let name = self.name("a name for the constant")?;
                self.cursor.expect("=")?;
                let value = self.expression()?;
                self.cursor.expect(";")?;
                ItemKind::Const { name, value }
            }
            Some(word @ ("atomic" | "nonatomic")) => {
                self.cursor.advance();
                let list = self.locations()?;
                ItemKind::Locations { atomic: word == "atomic", list }
            }
            Some("fn") => {
                self.cursor.advance();
                let name = self.name("a name for the procedure")?;
                self.cursor.expect("(")?;
                let params = self.parameters()?;
                ItemKind::Function { name, params, body: self.block()? }
            }
            Some("thread") => {
                self.cursor.advance();
                let name = self.name("a name for the thread")?;
                let count = self.bracketed()?;
                ItemKind::Thread { name, count, body: self.block()? }
            }
            found => {
                let error = self.cursor.expected("a declaration");
                let meant = found.and_then(|word| did_you_mean(word, ITEM_KEYWORDS.iter().copied()));
                return Err(error.help(match meant {
                    Some(word) => format!("did you mean `{word}`?"),
                    None => "a file has `const`, `atomic`, `nonatomic`, `fn` and `thread` declarations".to_owned(),
                }));
            }
        };
        Ok(Item { range: self.cursor.since(start), kind })
    }

    fn locations(&mut self) -> Parsed<Vec<Location<'t>>> {
        let mut list = Vec::new();
        loop {
            let name = self.name("a name for the location")?;
            let length = self.bracketed()?;
            let ty = if self.cursor.eat(":") { Some(self.ty()?) } else { None };
            let init = if self.cursor.eat("=") { Some(self.init()?) } else { None };
            list.push(Location { name, length, ty, init });
            if self.cursor.eat(";") {
                return Ok(list);
            }
            if !self.cursor.eat(",") {
                return Err(self.cursor.missing("`;` or `,`"));
            }
        }
    }

    fn init(&mut self) -> Parsed<Init<'t>> {
        if !self.cursor.is("{") {
            return Ok(Init::One(self.expression()?));
        }
        let start = self.cursor.advance().range;
        let mut values = vec![self.expression()?];
        while self.cursor.eat(",") {
            if self.cursor.is("}") {
                break;
            }
            values.push(self.expression()?);
        }
        let end = self.cursor.expect("}")?;
        Ok(Init::Each(values, start.to(end)))
    }

    pub(super) fn ty(&mut self) -> Parsed<Type<'t>> {
        let token = self.cursor.peek();
        if let (Some(text), false) = (self.cursor.word_at(0), self.range_follows()) {
            self.cursor.advance();
            return Ok(Type::Named(Name { text, range: token.range }));
        }
        let (lo, hi) = self.value_range()?;
        Ok(Type::Range(lo, hi))
    }

    /// Whether `..` comes before the end of this declaration: then a name starts an expression, not a type.
    fn range_follows(&self) -> bool {
        (0..)
            .map(|ahead| self.cursor.peek_at(ahead).kind)
            .find_map(|kind| match kind {
                TokenKind::Punctuation("..") => Some(true),
                TokenKind::Punctuation(";" | "=" | "{" | "}" | ",") | TokenKind::End => Some(false),
                _ => None,
            })
            .unwrap_or(false)
    }

    /// `lo..hi`.
    pub(super) fn value_range(&mut self) -> Parsed<(Expr<'t>, Expr<'t>)> {
        let lo = self.expression()?;
        if !self.cursor.eat("..") {
            return Err(self.cursor.missing("`..` and the end of the range"));
        }
        Ok((lo, self.expression()?))
    }

    fn parameters(&mut self) -> Parsed<Vec<Name<'t>>> {
        let mut params = Vec::new();
        if self.cursor.eat(")") {
            return Ok(params);
        }
        loop {
            params.push(self.name("a parameter")?);
            if self.cursor.eat(")") {
                return Ok(params);
            }
            if !self.cursor.eat(",") {
                return Err(self.cursor.missing("`,` or `)`"));
            }
        }
    }

    /// `[e]`, or nothing.
    pub(super) fn bracketed(&mut self) -> Parsed<Option<Expr<'t>>> {
        if !self.cursor.eat("[") {
            return Ok(None);
        }
        let inner = self.expression()?;
        self.cursor.expect("]")?;
        Ok(Some(inner))
    }

    pub(super) fn name(&mut self, what: &str) -> Parsed<Name<'t>> {
        let range = self.cursor.peek().range;
        match self.cursor.word_at(0) {
            Some(word) if RESERVED.contains(&word) => {
                Err(Diagnostic::new(format!("`{word}` is a reserved word"), range, format!("expected {what}")))
            }
            Some(text) => {
                self.cursor.advance();
                Ok(Name { text, range })
            }
            None => Err(self.cursor.expected(what)),
        }
    }

    fn skip_to_item(&mut self) {
        let starts = |token: Token, text: &str| {
            token.kind == TokenKind::Identifier && ITEM_KEYWORDS.contains(&token.range.of(text))
        };
        self.cursor.advance();
        while !self.cursor.at_end() && !starts(self.cursor.peek(), self.cursor.text) {
            self.cursor.advance();
        }
    }
}
