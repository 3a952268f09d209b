//! The lexer that `.fp` and litmus share: identifiers, integers, punctuation, comments, each with its place.

use crate::diagnostic::{Diagnostic, shortened};
use crate::limits::NESTING;
use crate::text::TextRange;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Identifier,
    Integer(i64),
    Punctuation(&'static str),
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub range: TextRange,
}

/// An identifier, with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name<'t> {
    pub text: &'t str,
    pub range: TextRange,
}

/// What differs between the languages.
pub(crate) struct Dialect {
    /// Longest first.
    pub punctuation: &'static [&'static str],
    /// `(* ... *)` is a comment outside braces and inside the first ones: in the C code of a litmus test, but not in
    /// its initial state and its condition, `(*` starts an expression.
    pub ml_comments: bool,
}

pub(crate) struct Tokens {
    /// The last one is [`TokenKind::End`].
    pub tokens: Vec<Token>,
    pub comments: Vec<TextRange>,
}

/// Reads the tokens of `text[within]`.
pub(crate) fn lex(text: &str, within: TextRange, dialect: &Dialect) -> Result<Tokens, Diagnostic> {
    let (at, end) = (within.start as usize, within.end as usize);
    let mut lexer = Lexer { text, at, end, dialect, depth: 0, groups: 0 };
    let mut tokens = Vec::new();
    let mut comments = Vec::new();
    loop {
        lexer.skip_blanks();
        if let Some(comment) = lexer.comment()? {
            comments.push(comment);
            continue;
        }
        let token = lexer.token()?;
        tokens.push(token);
        if token.kind == TokenKind::End {
            return Ok(Tokens { tokens, comments });
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    end: usize,
    dialect: &'t Dialect,
    /// Open braces.
    depth: usize,
    /// Closed outermost braces.
    groups: usize,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..self.end]
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n', '\u{feff}']).len();
    }

    fn ml_comments(&self) -> bool {
        self.dialect.ml_comments && (self.depth == 0 || self.groups == 0)
    }

    fn comment(&mut self) -> Result<Option<TextRange>, Diagnostic> {
        let rest = self.rest();
        let start = self.at;
        let (length, close) = match rest {
            _ if rest.starts_with("//") => {
                let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
                self.at += line.len();
                return Ok(Some(TextRange::new(start, start + line.trim_end().len())));
            }
            _ if rest.starts_with("/*") => (rest[2..].find("*/").map(|n| n + 4), "*/"),
            _ if self.ml_comments() && rest.starts_with("(*") => (ml_comment(rest), "*)"),
            _ => return Ok(None),
        };
        let Some(length) = length else {
            let range = TextRange::new(start, start + 2);
            let label = format!("expected a `{close}` after this");
            return Err(Diagnostic::new("this comment does not end", range, label));
        };
        self.at += length;
        Ok(Some(TextRange::new(start, self.at)))
    }

    fn token(&mut self) -> Result<Token, Diagnostic> {
        let rest = self.rest();
        let start = self.at;
        let Some(first) = rest.chars().next() else {
            return Ok(Token { kind: TokenKind::End, range: TextRange::new(start, start) });
        };
        let kind = if first.is_ascii_alphabetic() || first == '_' {
            self.at += word_length(rest);
            TokenKind::Identifier
        } else if first.is_ascii_digit() {
            self.at += word_length(rest);
            let range = TextRange::new(start, self.at);
            TokenKind::Integer(integer(range.of(self.text)).map_err(|why| Diagnostic::new(why, range, ""))?)
        } else if let Some(punctuation) = self.dialect.punctuation.iter().find(|p| rest.starts_with(**p)) {
            self.at += punctuation.len();
            match *punctuation {
                "{" => self.depth += 1,
                "}" if self.depth == 1 => (self.depth, self.groups) = (0, self.groups + 1),
                "}" => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            TokenKind::Punctuation(punctuation)
        } else {
            let range = TextRange::new(start, start + first.len_utf8());
            return Err(Diagnostic::new(format!("unexpected character {first:?}"), range, "not part of the language"));
        };
        Ok(Token { kind, range: TextRange::new(start, self.at) })
    }
}

/// The length of a comment in the manner of ML, which may contain others.
pub(crate) fn ml_comment(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0usize, 0);
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"(*" => (depth, at) = (depth + 1, at + 2),
            b"*)" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len())
}

fn integer(word: &str) -> Result<i64, &'static str> {
    let (digits, radix) = match word.strip_prefix("0x").or(word.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (word, 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err("this is neither a number nor a name");
    }
    // A hexadecimal literal is a bit pattern, so that all 64 bits can be written.
    match radix {
        16 => u64::from_str_radix(digits, 16).ok().map(|bits| bits as i64),
        _ => digits.parse().ok(),
    }
    .ok_or("this number does not fit in 64 bits")
}

/// A position in a list of tokens, with the questions that every parser asks.
pub(crate) struct Cursor<'t> {
    pub text: &'t str,
    tokens: &'t [Token],
    at: usize,
    depth: usize,
    too_deep: bool,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str, tokens: &'t Tokens) -> Cursor<'t> {
        Cursor { text, tokens: &tokens.tokens, at: 0, depth: 0, too_deep: false }
    }

    pub(crate) fn peek(&self) -> Token {
        self.peek_at(0)
    }

    /// The token `ahead` of the next one; the end goes on forever.
    pub(crate) fn peek_at(&self, ahead: usize) -> Token {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    pub(crate) fn advance(&mut self) -> Token {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// The place of the token before the next one.
    pub(crate) fn previous(&self) -> TextRange {
        self.tokens[self.at.saturating_sub(1)].range
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn at_end(&self) -> bool {
        self.peek().kind == TokenKind::End
    }

    pub(crate) fn is(&self, punctuation: &str) -> bool {
        self.is_at(0, punctuation)
    }

    pub(crate) fn is_at(&self, ahead: usize, punctuation: &str) -> bool {
        matches!(self.peek_at(ahead).kind, TokenKind::Punctuation(p) if p == punctuation)
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.word_at(0) == Some(word)
    }

    /// The identifier or keyword at this distance.
    pub(crate) fn word_at(&self, ahead: usize) -> Option<&'t str> {
        let token = self.peek_at(ahead);
        (token.kind == TokenKind::Identifier).then(|| token.range.of(self.text))
    }

    pub(crate) fn eat(&mut self, punctuation: &str) -> bool {
        let there = self.is(punctuation);
        if there {
            self.advance();
        }
        there
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let there = self.is_word(word);
        if there {
            self.advance();
        }
        there
    }

    pub(crate) fn expect(&mut self, punctuation: &str) -> Result<TextRange, Diagnostic> {
        if self.is(punctuation) { Ok(self.advance().range) } else { Err(self.missing(&format!("`{punctuation}`"))) }
    }

    /// The next token is not what should start here.
    pub(crate) fn expected(&self, what: &str) -> Diagnostic {
        Diagnostic::new(self.expected_message(what), self.peek().range, format!("expected {what}"))
    }

    /// Something is missing before the next token: if that is on another line, points behind the last one.
    pub(crate) fn missing(&self, what: &str) -> Diagnostic {
        let next = self.peek();
        let between = TextRange { start: self.previous().end, end: next.range.start };
        if self.at == 0 || !between.of(self.text).contains('\n') {
            return self.expected(what);
        }
        let error = Diagnostic::new(self.expected_message(what), self.previous().after(), format!("expected {what}"));
        if self.at_end() { error } else { error.and(next.range, "found this") }
    }

    fn expected_message(&self, what: &str) -> String {
        match self.peek() {
            Token { kind: TokenKind::End, .. } => format!("expected {what}, found the end of the file"),
            Token { range, .. } => {
                format!("expected {what}, found `{}`", shortened(range.of(self.text).to_owned(), 40))
            }
        }
    }

    /// Goes one level deeper, unless that is too deep for the stack. Each success is paired with a [`Cursor::leave`].
    pub(crate) fn enter(&mut self) -> Result<(), Diagnostic> {
        if self.depth >= NESTING {
            self.too_deep = true;
            let range = self.peek().range;
            return Err(Diagnostic::new("this is nested too deeply", range, format!("more than {NESTING} levels")));
        }
        self.depth += 1;
        Ok(())
    }

    /// Whether something was nested too deeply: going on after that error would only find it again.
    pub(crate) fn is_too_deep(&self) -> bool {
        self.too_deep
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }
}
