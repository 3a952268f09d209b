use super::{Parser, Result};
use crate::lexer::Token;
use crate::metadata::Field;
use crate::{Alias, Global, Linkage, MetadataId, Selection, Symbol};

impl<'a> Parser<'a> {
    /// `@x = internal global i32 0, align 4`
    pub(super) fn global(&mut self, name: &'a str) -> Result<()> {
        let name = self.symbol(name);
        let line = self.line();
        self.advance()?;
        self.expect(b'=')?;
        let mut thread_local = false;
        let mut linkage = None;
        let constant = loop {
            match self.token {
                Token::Word("global") => break false,
                Token::Word("constant") => break true,
                Token::Word("alias" | "ifunc") => {
                    let resolved = self.at_word("ifunc");
                    self.advance()?;
                    let linkage = linkage.unwrap_or_default();
                    return self.alias(name, linkage, resolved, line);
                }
                Token::Word(word) => {
                    thread_local |= word == "thread_local";
                    linkage = linkage.or(Linkage::of(word));
                    self.skip_attribute()?;
                }
                _ => return self.expected("`global` or `constant`"),
            }
        };
        self.advance()?;
        let ty = self.ty()?;
        // Only a declaration says that it is external.
        let declared = matches!(linkage, Some(Linkage::External | Linkage::ExternWeak));
        let init = if declared { None } else { Some(self.constant(ty)?) };
        let mut global = Global {
            name,
            ty,
            init,
            linkage: linkage.unwrap_or_default(),
            comdat: None,
            constant,
            thread_local,
            alignment: 0,
            debug: Vec::new(),
            line,
        };
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
            Token::Word("comdat") => {
                global.comdat = self.comdat(global.name)?;
                Ok(())
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

    /// `comdat` names the group of the same name, `comdat($x)` another.
    pub(super) fn comdat(&mut self, own: Symbol) -> Result<Option<Symbol>> {
        self.expect_word("comdat")?;
        if !self.take(b'(')? {
            return Ok(Some(own));
        }
        let Token::Comdat(name) = self.token else { return self.expected("the name of a comdat") };
        let name = self.symbol(name);
        self.advance()?;
        self.expect(b')')?;
        Ok(Some(name))
    }

    /// `$x = comdat any`
    pub(super) fn comdat_definition(&mut self, name: &'a str) -> Result<()> {
        let name = self.symbol(name);
        self.advance()?;
        self.expect(b'=')?;
        self.expect_word("comdat")?;
        let selection = match self.word("how a comdat is selected")? {
            "nodeduplicate" | "noduplicates" => Selection::NoDuplicates,
            _ => Selection::Any,
        };
        self.module.comdats.push((name, selection));
        Ok(())
    }

    fn alias(&mut self, name: Symbol, linkage: Linkage, resolved: bool, line: u32) -> Result<()> {
        self.ty()?;
        self.expect(b',')?;
        let target = self.typed_constant()?;
        self.module.aliases.push(Alias { name, linkage, target, resolved, line });
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
