use super::{Parser, Result};
use crate::lexer::Token;
use crate::{Type, TypeId};

impl<'a> Parser<'a> {
    /// `%name = type ...`
    pub(super) fn type_definition(&mut self, name: &'a str) -> Result<()> {
        let name = self.symbol(name);
        self.advance()?;
        self.expect(b'=')?;
        self.expect_word("type")?;
        let body = self.ty()?;
        self.module.types.define(name, body);
        Ok(())
    }

    pub(super) fn at_type(&self) -> bool {
        match self.token {
            Token::Word(word) => primitive(word).is_some() || matches!(word, "opaque" | "target" | "label"),
            Token::Local(_) | Token::Punct(b'{' | b'[' | b'<') => true,
            _ => false,
        }
    }

    pub(super) fn intern(&mut self, ty: Type) -> TypeId {
        self.module.types.intern(ty)
    }

    pub(super) fn ty(&mut self) -> Result<TypeId> {
        self.nested(|p| {
            let mut ty = p.simple_type()?;
            loop {
                if p.at_word("addrspace") {
                    p.skip_attribute()?;
                } else if p.take(b'*')? {
                    ty = p.intern(Type::Pointer);
                } else if p.at(b'(') {
                    ty = p.function_type(ty)?;
                } else {
                    return Ok(ty);
                }
            }
        })
    }

    fn simple_type(&mut self) -> Result<TypeId> {
        match self.token {
            Token::Word(word) => match primitive(word) {
                Some(ty) => {
                    self.advance()?;
                    Ok(self.intern(ty))
                }
                None if word == "opaque" => {
                    self.advance()?;
                    Ok(self.intern(Type::Opaque))
                }
                None if word == "target" => {
                    self.skip_attribute()?;
                    Ok(self.intern(Type::Opaque))
                }
                None => self.expected("a type"),
            },
            Token::Local(name) => {
                let name = self.symbol(name);
                self.advance()?;
                Ok(self.intern(Type::Named(name)))
            }
            Token::Punct(b'{') => self.struct_type(false),
            Token::Punct(b'[') => {
                self.advance()?;
                let length = self.number("the length of an array")?;
                self.expect_word("x")?;
                let element = self.ty()?;
                self.expect(b']')?;
                Ok(self.intern(Type::Array { length, element }))
            }
            Token::Punct(b'<') => {
                self.advance()?;
                if self.at(b'{') {
                    let ty = self.struct_type(true)?;
                    self.expect(b'>')?;
                    return Ok(ty);
                }
                let scalable = self.take_word("vscale")?;
                if scalable {
                    self.expect_word("x")?;
                }
                let length = self.number("the length of a vector")?;
                self.expect_word("x")?;
                let element = self.ty()?;
                self.expect(b'>')?;
                Ok(self.intern(if scalable { Type::Opaque } else { Type::Vector { length, element } }))
            }
            _ => self.expected("a type"),
        }
    }

    fn struct_type(&mut self, packed: bool) -> Result<TypeId> {
        self.expect(b'{')?;
        let mut fields = Vec::new();
        while !self.at(b'}') {
            fields.push(self.ty()?);
            if !self.take(b',')? {
                break;
            }
        }
        self.expect(b'}')?;
        Ok(self.intern(Type::Struct { packed, fields }))
    }

    fn function_type(&mut self, result: TypeId) -> Result<TypeId> {
        self.expect(b'(')?;
        let mut parameters = Vec::new();
        let mut varargs = false;
        while !self.at(b')') {
            if self.take_word("...")? {
                varargs = true;
                break;
            }
            parameters.push(self.ty()?);
            if !self.take(b',')? {
                break;
            }
        }
        self.expect(b')')?;
        Ok(self.intern(Type::Function { result, parameters, varargs }))
    }
}

fn primitive(word: &str) -> Option<Type> {
    Some(match word {
        "void" => Type::Void,
        "ptr" => Type::Pointer,
        "float" => Type::Float,
        "double" => Type::Double,
        "half" => Type::Half,
        "bfloat" => Type::BFloat,
        "x86_fp80" => Type::X86Fp80,
        "fp128" | "ppc_fp128" => Type::Fp128,
        "label" => Type::Label,
        "metadata" => Type::Metadata,
        "token" => Type::Token,
        "x86_mmx" | "x86_amx" => Type::Opaque,
        _ => {
            let bits = word.strip_prefix('i')?.parse().ok()?;
            // LLVM's own limit.
            return (1..=1 << 23).contains(&bits).then_some(Type::Int(bits));
        }
    })
}
