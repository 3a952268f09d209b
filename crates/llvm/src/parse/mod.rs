mod calls;
mod constants;
mod functions;
mod globals;
mod instructions;
mod memory;
mod metadata;
mod types;

use crate::lexer::{Lexer, Token, unescaped};
use crate::metadata::Keys;
use crate::{Error, Module, Symbol};

/// Types, constants and brackets nest no deeper than this.
const DEPTH_LIMIT: u32 = 200;

type Result<T> = std::result::Result<T, Error>;

/// Reads a module.
pub fn read(text: &str) -> Result<Module> {
    read_unless(text, &|| false)
}

/// The same, unless `stop` says that it is enough: it is asked again and again, and ends the reading with an error.
pub fn read_unless<'a>(text: &'a str, stop: &'a dyn Fn() -> bool) -> Result<Module> {
    let mut module = Module::default();
    module.metadata.ids = Keys::new(&mut module.names);
    let lexer = Lexer::new(text);
    let mut parser = Parser { lexer, token: Token::End, token_at: 0, counted: (0, 1), depth: 0, module, stop };
    parser.advance()?;
    while parser.token != Token::End {
        parser.top_level()?;
    }
    parser.module.types.measure();
    Ok(parser.module)
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token<'a>,
    /// Where the token ends.
    token_at: usize,
    /// An offset and its line, from which further lines are counted.
    counted: (usize, u32),
    depth: u32,
    module: Module,
    stop: &'a dyn Fn() -> bool,
}

impl<'a> Parser<'a> {
    fn advance(&mut self) -> Result<Token<'a>> {
        let token = self.token;
        if (self.stop)() {
            return self.error("stopped");
        }
        match self.lexer.next() {
            Ok(next) => {
                self.token = next;
                self.token_at = self.lexer.offset();
                Ok(token)
            }
            Err(message) => Err(Error { line: self.lexer.line_of(self.lexer.offset()), message }),
        }
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(Error { line: self.lexer.line_of(self.token_at.saturating_sub(1)), message: message.into() })
    }

    fn expected<T>(&self, what: &str) -> Result<T> {
        let found = match self.token {
            Token::Word(word) => format!("`{}`", shortened(word)),
            Token::Local(name) => format!("`%{}`", shortened(name)),
            Token::Global(name) => format!("`@{}`", shortened(name)),
            Token::Metadata(name) => format!("`!{}`", shortened(name)),
            Token::Comdat(name) => format!("`${}`", shortened(name)),
            Token::Hash(name) => format!("`#{}`", shortened(name)),
            Token::Str(_) | Token::Bytes(_) => "a string".to_owned(),
            Token::Punct(c) => format!("`{}`", c as char),
            Token::End => "the end of the file".to_owned(),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    /// The line of the token.
    fn line(&mut self) -> u32 {
        let (from, line) = self.counted;
        self.counted = (self.token_at, line + self.lexer.newlines(from, self.token_at));
        self.counted.1
    }

    fn at(&self, punct: u8) -> bool {
        self.token == Token::Punct(punct)
    }

    fn at_word(&self, word: &str) -> bool {
        self.token == Token::Word(word)
    }

    fn take(&mut self, punct: u8) -> Result<bool> {
        let found = self.at(punct);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn take_word(&mut self, word: &str) -> Result<bool> {
        let found = self.at_word(word);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn expect(&mut self, punct: u8) -> Result<()> {
        if self.take(punct)? { Ok(()) } else { self.expected(&format!("`{}`", punct as char)) }
    }

    fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.take_word(word)? { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    fn word(&mut self, what: &str) -> Result<&'a str> {
        match self.token {
            Token::Word(word) => {
                self.advance()?;
                Ok(word)
            }
            _ => self.expected(what),
        }
    }

    fn number<T: std::str::FromStr>(&mut self, what: &str) -> Result<T> {
        match self.token {
            Token::Word(word) if word.parse::<T>().is_ok() => {
                self.advance()?;
                word.parse().or_else(|_| self.expected(what))
            }
            _ => self.expected(what),
        }
    }

    fn symbol(&mut self, name: &str) -> Symbol {
        match unescaped(name) {
            std::borrow::Cow::Borrowed(_) => self.module.names.intern(name),
            std::borrow::Cow::Owned(bytes) => self.module.names.intern(&String::from_utf8_lossy(&bytes)),
        }
    }

    /// Goes into something that nests.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= DEPTH_LIMIT {
            return self.error("this nests too deeply");
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Skips a bracket, and all up to the one that closes it.
    fn skip_brackets(&mut self) -> Result<()> {
        let mut depth = 0u32;
        loop {
            match self.token {
                Token::Punct(b'(' | b'{' | b'[' | b'<') => depth += 1,
                Token::Punct(b')' | b'}' | b']' | b'>') => depth = depth.saturating_sub(1),
                Token::End => return self.expected("a closing bracket"),
                _ => {}
            }
            self.advance()?;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Skips words that say nothing here, such as attributes, with what they have in brackets.
    fn skip_attribute(&mut self) -> Result<()> {
        self.advance()?;
        if self.at(b'(') {
            self.skip_brackets()?;
        }
        if self.take(b'=')? {
            self.advance()?;
        }
        Ok(())
    }

    fn skip_line(&mut self) -> Result<()> {
        self.lexer.skip_line();
        self.advance()?;
        Ok(())
    }

    fn top_level(&mut self) -> Result<()> {
        match self.token {
            Token::Word("define") => self.function(true),
            Token::Word("declare") => self.function(false),
            Token::Word("target") => {
                self.advance()?;
                let layout = self.take_word("datalayout")?;
                if !layout {
                    self.expect_word("triple")?;
                }
                self.expect(b'=')?;
                match self.advance()? {
                    Token::Str(text) if layout => self.data_layout(text),
                    Token::Str(_) => Ok(()),
                    _ => self.error("expected a string after `target`"),
                }
            }
            Token::Word("source_filename") => {
                self.advance()?;
                self.expect(b'=')?;
                self.advance().map(drop)
            }
            Token::Word("attributes") => {
                self.advance()?;
                self.advance()?;
                self.expect(b'=')?;
                self.skip_brackets()
            }
            Token::Word("module") => {
                self.advance()?;
                self.expect_word("asm")?;
                self.advance().map(drop)
            }
            Token::Word("uselistorder" | "uselistorder_bb") => self.skip_line(),
            Token::Comdat(name) => self.comdat_definition(name),
            Token::Local(name) => self.type_definition(name),
            Token::Global(name) => self.global(name),
            Token::Metadata(name) => self.metadata_definition(name),
            _ => self.expected("a definition"),
        }
    }

    fn data_layout(&mut self, text: &str) -> Result<()> {
        let narrow_pointers = text.split('-').any(|part| part.starts_with("p:") && !part.starts_with("p:64"));
        if text.starts_with('E') || narrow_pointers {
            return self.error("only little-endian code with 64-bit pointers is read");
        }
        self.module.data_layout = text.to_owned();
        Ok(())
    }
}

/// The beginning of a name that is too long for a message.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.to_owned(),
    }
}
