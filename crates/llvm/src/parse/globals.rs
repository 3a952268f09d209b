use super::{Parser, Result};
use crate::lexer::Token;
use crate::metadata::Field;
use crate::{Global, MetadataId};

impl<'a> Parser<'a> {
    /// `@x = internal global i32 0, align 4`
    pub(super) fn global(&mut self, name: &'a str) -> Result<()> {
        let name = self.symbol(name);
        let line = self.line();
        self.advance()?;
        self.expect(b'=')?;
        let mut thread_local = false;
        let (mut external, mut weak) = (false, false);
        let constant = loop {
            match self.token {
                Token::Word("global") => break false,
                Token::Word("constant") => break true,
                Token::Word("alias" | "ifunc") => {
                    self.advance()?;
                    return self.alias(name);
                }
                Token::Word(word) => {
                    thread_local |= word == "thread_local";
                    weak |= word == "extern_weak";
                    external |= matches!(word, "external" | "extern_weak");
                    self.skip_attribute()?;
                }
                _ => return self.expected("`global` or `constant`"),
            }
        };
        self.advance()?;
        let ty = self.ty()?;
        let init = if external { None } else { Some(self.constant(ty)?) };
        let mut global = Global { name, ty, init, weak, constant, thread_local, alignment: 0, debug: Vec::new(), line };
        loop {
            if let Token::Hash(_) = self.token {
                self.advance()?;
                continue;
            }
            if !self.take(b',')? {
                break;
            }
            self.global_property(&mut global)?;
        }
        self.module.globals.push(global);
        Ok(())
    }

    fn global_property(&mut self, global: &mut Global) -> Result<()> {
        match self.token {
            Token::Word("align") => {
                self.advance()?;
                global.alignment = self.number("an alignment")?;
                Ok(())
            }
            Token::Word("section" | "partition" | "code_model") => {
                self.advance()?;
                self.advance().map(drop)
            }
            Token::Word(_) => self.skip_attribute(),
            Token::Metadata(kind) => {
                if let Some(node) = self.attachment(kind)? {
                    global.debug.push(node);
                }
                Ok(())
            }
            _ => self.expected("a property of a global"),
        }
    }

    fn alias(&mut self, name: crate::Symbol) -> Result<()> {
        self.ty()?;
        self.expect(b',')?;
        let target = self.typed_constant()?;
        self.module.aliases.push((name, target));
        while self.take(b',')? {
            self.skip_attribute()?;
            if let Token::Str(_) = self.token {
                self.advance()?;
            }
        }
        Ok(())
    }

    /// `!dbg !12`, at the `!dbg`: the number, if it is debug information.
    pub(super) fn attachment(&mut self, kind: &str) -> Result<Option<MetadataId>> {
        self.advance()?;
        match self.metadata_value()? {
            Some(Field::Node(id)) if kind == "dbg" => Ok(Some(id)),
            _ => Ok(None),
        }
    }
}
