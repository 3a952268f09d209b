//! The words of LLVM IR.

use std::borrow::Cow;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// A keyword, a type name, a number, or the name of a label.
    Word(&'a str),
    /// `%x`
    Local(&'a str),
    /// `@x`
    Global(&'a str),
    /// `!12`, `!dbg`, `!DILocation`; a bare `!` is the empty name.
    Metadata(&'a str),
    /// `$x`
    Comdat(&'a str),
    /// `#3`, `#dbg_declare`
    Hash(&'a str),
    /// What stands between the quotes, with its escapes.
    Str(&'a str),
    /// `c"..."`
    Bytes(&'a str),
    Punct(u8),
    End,
}

#[derive(Clone, Copy)]
pub(crate) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, at: 0 }
    }

    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// The line of an offset, counted from 1.
    pub(crate) fn line_of(&self, offset: usize) -> u32 {
        let before = &self.text.as_bytes()[..offset.min(self.text.len())];
        before.iter().filter(|&&b| b == b'\n').count() as u32 + 1
    }

    /// Goes to the end of the line.
    pub(crate) fn skip_line(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
    }

    pub(crate) fn newlines(&self, from: usize, to: usize) -> u32 {
        self.text.as_bytes()[from..to.max(from)].iter().filter(|&&b| b == b'\n').count() as u32
    }

    pub(crate) fn next(&mut self) -> Result<Token<'a>, String> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(b';') => self.skip_line(),
                _ => break,
            }
        }
        let Some(&first) = bytes.get(self.at) else { return Ok(Token::End) };
        match first {
            b'%' | b'@' | b'$' => {
                self.at += 1;
                let name = if bytes.get(self.at) == Some(&b'"') { self.quoted()? } else { self.word() };
                Ok(match first {
                    b'%' => Token::Local(name),
                    b'@' => Token::Global(name),
                    _ => Token::Comdat(name),
                })
            }
            b'!' => {
                self.at += 1;
                // A name may have escapes such as `\2E`, which are kept as they are.
                let start = self.at;
                while bytes.get(self.at).is_some_and(|&b| is_word(b) || b == b'\\') {
                    self.at += 1;
                }
                Ok(Token::Metadata(&self.text[start..self.at]))
            }
            b'#' => {
                self.at += 1;
                Ok(Token::Hash(self.word()))
            }
            b'"' => Ok(Token::Str(self.quoted()?)),
            b'c' if bytes.get(self.at + 1) == Some(&b'"') => {
                self.at += 1;
                Ok(Token::Bytes(self.quoted()?))
            }
            _ if is_word(first) => Ok(Token::Word(self.word())),
            b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b',' | b'=' | b'*' | b':' | b'|' => {
                self.at += 1;
                Ok(Token::Punct(first))
            }
            _ => {
                let character = self.text[self.at..].chars().next().unwrap_or('\u{fffd}');
                Err(format!("`{}` has no meaning in LLVM IR", character.escape_default()))
            }
        }
    }

    fn word(&mut self) -> &'a str {
        let bytes = self.text.as_bytes();
        let start = self.at;
        while bytes.get(self.at).is_some_and(|&b| is_word(b)) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn quoted(&mut self) -> Result<&'a str, String> {
        let start = self.at + 1;
        match self.text.as_bytes()[start..].iter().position(|&b| b == b'"') {
            Some(length) => {
                self.at = start + length + 1;
                Ok(&self.text[start..start + length])
            }
            None => Err("a string has no end".to_owned()),
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'+' | b'$')
}

/// The bytes that a string stands for: `\0A` is one byte, `\\` a backslash.
pub(crate) fn unescaped(text: &str) -> Cow<'_, [u8]> {
    if !text.contains('\\') {
        return Cow::Borrowed(text.as_bytes());
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'\\' {
            if bytes.get(at + 1) == Some(&b'\\') {
                out.push(b'\\');
                at += 2;
                continue;
            }
            let digit = |i: usize| bytes.get(i).and_then(|&b| (b as char).to_digit(16));
            if let (Some(high), Some(low)) = (digit(at + 1), digit(at + 2)) {
                out.push((high * 16 + low) as u8);
                at += 3;
                continue;
            }
        }
        out.push(bytes[at]);
        at += 1;
    }
    Cow::Owned(out)
}
