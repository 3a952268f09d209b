//! The lexer that `.fp` and litmus share: identifiers, integers, punctuation, comments, each with its place.

use crate::diagnostic::Diagnostic;
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
