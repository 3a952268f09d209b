use super::{Parser, Result};
use crate::lexer::Token;
use crate::metadata::{Field, Node};
use crate::{MetadataId, Symbol};

impl<'a> Parser<'a> {
    /// `!5 = distinct !DILocation(...)`, `!5 = !{...}`, `!llvm.ident = !{...}`
    pub(super) fn metadata_definition(&mut self, name: &'a str) -> Result<()> {
        self.advance()?;
        self.expect(b'=')?;
        self.take_word("distinct")?;
        let number = name.parse().ok().map(MetadataId);
        let node = self.metadata_node()?;
        if let (Some(id), Some(node)) = (number, node)
            && self.module.metadata.ids.is_kept(node.kind)
        {
            self.module.metadata.nodes.insert(id, node);
        }
        Ok(())
    }

    /// `!DILocation(line: 3)` or `!{!1, !2}`.
    fn metadata_node(&mut self) -> Result<Option<Node>> {
        let Token::Metadata(name) = self.token else {
            // An old form without `!`, or a constant: nothing that we ask for.
            self.metadata_value()?;
            return Ok(None);
        };
        let kind = self.symbol(name);
        self.advance()?;
        let mut fields = Vec::new();
        if self.take(b'{')? {
            while !self.at(b'}') {
                if let Some(field) = self.metadata_value()? {
                    fields.push((kind, field));
                }
                if !self.take(b',')? {
                    break;
                }
            }
            self.expect(b'}')?;
        } else if self.at(b'(') && !self.module.metadata.ids.is_kept(kind) {
            self.skip_brackets()?;
        } else if self.take(b'(')? {
            while !self.at(b')') {
                let key = self.word("the name of a field")?;
                let key: Symbol = self.module.names.intern(key);
                self.expect(b':')?;
                if let Some(field) = self.metadata_value()? {
                    fields.push((key, field));
                }
                if !self.take(b',')? {
                    break;
                }
            }
            self.expect(b')')?;
        } else if let Token::Str(_) = self.token {
            self.advance()?;
            return Ok(None);
        }
        Ok(Some(Node { kind, fields }))
    }

    /// What a field or an element holds, if it is something that we ask for.
    pub(super) fn metadata_value(&mut self) -> Result<Option<Field>> {
        match self.token {
            Token::Metadata(name) => {
                if let Ok(number) = name.parse() {
                    self.advance()?;
                    return Ok(Some(Field::Node(MetadataId(number))));
                }
                self.nested(|p| p.metadata_node())?;
                Ok(None)
            }
            Token::Str(text) => {
                let text = self.symbol(text);
                self.advance()?;
                Ok(Some(Field::Text(text)))
            }
            Token::Word(word) => {
                if let Ok(value) = word.parse() {
                    self.advance()?;
                    return Ok(Some(Field::Int(value)));
                }
                if self.at_type() {
                    // A typed constant: `i32 7`. `ptr @f` too.
                    self.ty()?;
                    if !matches!(self.token, Token::Punct(b',' | b'}' | b')')) {
                        self.skip_value()?;
                    }
                    return Ok(None);
                }
                self.flags(word)
            }
            Token::Punct(_) | Token::Local(_) => {
                self.skip_value()?;
                Ok(None)
            }
            _ => self.expected("metadata"),
        }
    }

    /// `DIFlagPrototyped | DIFlagPublic`, `DW_ATE_signed`, `null`.
    fn flags(&mut self, word: &str) -> Result<Option<Field>> {
        let symbol = self.module.names.intern(word);
        self.advance()?;
        while self.take(b'|')? {
            self.advance()?;
        }
        Ok((word != "null").then_some(Field::Text(symbol)))
    }

    /// Skips up to the comma or bracket that ends a value.
    fn skip_value(&mut self) -> Result<()> {
        loop {
            match self.token {
                Token::Punct(b',' | b')' | b'}' | b']') | Token::End => return Ok(()),
                Token::Punct(b'(' | b'{' | b'[' | b'<') => self.skip_brackets()?,
                _ => {
                    self.advance()?;
                }
            }
        }
    }
}
