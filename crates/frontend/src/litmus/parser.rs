//! Tokens to syntax tree: the initial state, the threads' headers, and what follows them.

use super::ast::*;
use super::types;
use crate::cursor::Cursor;
use crate::diagnostic::Diagnostic;
use crate::limits;
use crate::text::TextRange;
use crate::tokens::{Dialect, TokenKind, Tokens};

pub(super) const DIALECT: Dialect = Dialect {
    punctuation: &[
        "/\\", "\\/", "==", "!=", "<>", "=>", "<=", ">=", "<<", ">>", "&&", "||", "++", "--", "+=", "-=", "->", "{",
        "}", "(", ")", "[", "]", ";", ",", ".", ":", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~",
        "?",
    ],
    ml_comments: true,
};

pub(super) type Parsed<T> = Result<T, Diagnostic>;

pub(super) struct Parser<'t> {
    pub cursor: Cursor<'t>,
    pub errors: Vec<Diagnostic>,
    /// Whether values may be addresses of locations.
    pub addresses: bool,
}

pub(super) fn parse<'t>(text: &'t str, tokens: &'t Tokens) -> Result<Test<'t>, Vec<Diagnostic>> {
    let mut parser = Parser { cursor: Cursor::new(text, tokens), errors: Vec::new(), addresses: false };
    match parser.test() {
        Ok(test) if parser.errors.is_empty() => Ok(test),
        Ok(_) => Err(parser.errors),
        Err(error) => {
            parser.errors.push(error);
            Err(parser.errors)
        }
    }
}

impl<'t> Parser<'t> {
    fn test(&mut self) -> Parsed<Test<'t>> {
        let init = self.initial_state()?;
        let mut threads: Vec<Thread<'t>> = Vec::new();
        while let Some((number, range)) = self.thread_name()? {
            if let Some(first) = threads.iter().find(|thread| thread.number == number) {
                return Err(Diagnostic::new(format!("there are two threads P{number}"), range, "again here")
                    .and(first.range, "first here"));
            }
            if threads.len() as i64 == limits::THREADS {
                let message = format!("too many threads: at most {}", limits::THREADS);
                return Err(Diagnostic::new(message, range, "one too many"));
            }
            let params = self.parameters()?;
            let body = self.block()?;
            threads.push(Thread { number, range, params, body });
        }
        if threads.is_empty() {
            return Err(self.cursor.expected("a thread such as `P0 (atomic_int *x) { ... }`"));
        }
        let questions = self.questions()?;
        if !self.cursor.at_end() {
            return Err(self.cursor.expected("the end of the test"));
        }
        Ok(Test { init, threads, questions })
    }

    pub(super) fn questions(&mut self) -> Parsed<Questions<'t>> {
        let locations = self.locations()?;
        let filter = if self.cursor.eat_word("filter") { Some(self.proposition()?) } else { None };
        let condition = self.condition()?;
        self.cursor.eat(";");
        Ok(Questions { locations, filter, condition })
    }

    pub(super) fn initial_state(&mut self) -> Parsed<Vec<Init<'t>>> {
        self.cursor.expect("{")?;
        let mut init = Vec::new();
        loop {
            while self.cursor.eat(";") {}
            if self.cursor.eat("}") {
                return Ok(init);
            }
            init.push(self.init_entry()?);
            if !self.cursor.is(";") && !self.cursor.is("}") {
                return Err(self.cursor.missing("`;` or `}`"));
            }
        }
    }

    fn init_entry(&mut self) -> Parsed<Init<'t>> {
        if let Some(thread) = self.thread_prefix() {
            let name = self.register_name()?;
            self.cursor.expect("=")?;
            return Ok(Init::Register { thread, name, value: self.initial_value()? });
        }
        let ty = match self.cursor.word_at(0) {
            Some(word) if types::is_type_word(word) => Some(types::parse(&mut self.cursor)?),
            Some(_) if self.cursor.word_at(1).is_some() || self.cursor.is_at(1, "*") => {
                Some(types::parse(&mut self.cursor)?)
            }
            _ => None,
        };
        if let Some(ty) = ty.filter(|ty| ty.pointers > 0 && !self.addresses) {
            return Err(pointer_value(ty.range));
        }
        let bracketed = self.cursor.eat("[");
        let name = self.name("a location")?;
        let mut length = None;
        if bracketed {
            self.cursor.expect("]")?;
        } else if self.cursor.eat("[") {
            length = Some(self.number()?);
            self.cursor.expect("]")?;
        }
        let values = if self.cursor.eat("=") { Some(self.init_values()?) } else { None };
        Ok(Init::Location { ty, name, length, values })
    }

    fn init_values(&mut self) -> Parsed<(Vec<Initial<'t>>, TextRange)> {
        let start = self.cursor.peek().range;
        let mut values = Vec::new();
        if self.cursor.eat("{") {
            loop {
                values.push(self.initial_value()?);
                if self.cursor.eat("}") {
                    break;
                }
                if !self.cursor.eat(",") {
                    return Err(self.cursor.missing("`,` or `}`"));
                }
            }
        } else if self.cursor.is_word("ATOMIC_VAR_INIT") || self.cursor.is_word("ATOMIC_INIT") {
            self.cursor.advance();
            self.cursor.expect("(")?;
            values.push(self.initial_value()?);
            self.cursor.expect(")")?;
        } else {
            values.push(self.initial_value()?);
        }
        Ok((values, start.to(self.cursor.previous())))
    }

    fn initial_value(&mut self) -> Parsed<Initial<'t>> {
        match self.address()? {
            Some(name) => Ok(Initial::Address(name)),
            None => Ok(Initial::Number(self.number()?.0)),
        }
    }

    /// `x` or `&x`, where a value may be an address.
    pub(super) fn address(&mut self) -> Parsed<Option<Name<'t>>> {
        if self.cursor.word_at(0).is_none() && !self.cursor.is("&") {
            return Ok(None);
        }
        if !self.addresses {
            return Err(pointer_value(self.cursor.peek().range));
        }
        self.cursor.eat("&");
        self.name("a location").map(Some)
    }

    /// `EAX`, `%eax`, `r0`.
    pub(super) fn register_name(&mut self) -> Parsed<Name<'t>> {
        self.cursor.eat("%");
        self.name("a register")
    }

    /// `P0`, perhaps after `void`; nothing if no thread follows.
    fn thread_name(&mut self) -> Parsed<Option<(i64, TextRange)>> {
        let ahead = self.cursor.is_word("void") as usize;
        let Some(number) = self.cursor.word_at(ahead).and_then(thread_number) else { return Ok(None) };
        if !self.cursor.is_at(ahead + 1, "(") {
            return Ok(None);
        }
        if ahead == 1 {
            self.cursor.advance();
        }
        Ok(Some((number, self.cursor.advance().range)))
    }

    fn parameters(&mut self) -> Parsed<Vec<Param<'t>>> {
        self.cursor.expect("(")?;
        let mut params: Vec<Param<'t>> = Vec::new();
        if self.cursor.eat(")") {
            return Ok(params);
        }
        if self.cursor.is_word("void") && self.cursor.is_at(1, ")") {
            self.cursor.advance();
            self.cursor.advance();
            return Ok(params);
        }
        loop {
            let ty = types::parse(&mut self.cursor)?;
            let name = self.name("a parameter")?;
            if ty.pointers != 1 || ty.void {
                let message = format!("the parameter `{}` is not a pointer to an integer", name.text);
                return Err(Diagnostic::new(message, ty.range, "expected a type such as `atomic_int *`")
                    .help("a parameter of a thread is the address of the shared location of that name"));
            }
            params.push(Param { ty, name });
            if self.cursor.eat(")") {
                return Ok(params);
            }
            if !self.cursor.eat(",") {
                return Err(self.cursor.missing("`,` or `)`"));
            }
        }
    }

    pub(super) fn name(&mut self, what: &str) -> Parsed<Name<'t>> {
        match self.cursor.word_at(0) {
            Some(word) if types::is_type_word(word) => Err(self.cursor.expected(what)),
            Some(text) => Ok(Name { text, range: self.cursor.advance().range }),
            None => Err(self.cursor.expected(what)),
        }
    }

    /// `0:` or `P0:`.
    pub(super) fn thread_prefix(&mut self) -> Option<(i64, TextRange)> {
        let token = self.cursor.peek();
        let number = match token.kind {
            TokenKind::Integer(number) => number,
            _ => thread_number(self.cursor.word_at(0)?)?,
        };
        if !self.cursor.is_at(1, ":") {
            return None;
        }
        self.cursor.advance();
        self.cursor.advance();
        Some((number, token.range))
    }

    /// An integer with an optional sign.
    pub(super) fn number(&mut self) -> Parsed<(i64, TextRange)> {
        let start = self.cursor.peek().range;
        let negative = self.cursor.eat("-");
        let TokenKind::Integer(value) = self.cursor.peek().kind else { return Err(self.cursor.expected("a number")) };
        self.cursor.advance();
        Ok((if negative { value.wrapping_neg() } else { value }, self.cursor.since(start)))
    }
}

pub(super) fn pointer_value(range: TextRange) -> Diagnostic {
    Diagnostic::new("addresses as values are not supported", range, "expected a number")
}

pub(super) fn thread_number(word: &str) -> Option<i64> {
    let digits = word.strip_prefix('P')?;
    (!digits.is_empty() && digits.len() <= 9 && digits.bytes().all(|b| b.is_ascii_digit()))
        .then(|| digits.parse().ok())?
}
