use super::functions::Body;
use super::{Parser, Result};
use crate::lexer::Token;
use crate::metadata::Field;
use crate::{Argument, Call, Callee, Op, Type, Variable};

impl<'a> Parser<'a> {
    /// At what follows `call`, or follows the `tail` before it.
    pub(super) fn call(&mut self, keyword: &str, body: &mut Body<'a>) -> Result<Op> {
        if keyword != "call" {
            self.expect_word("call")?;
        }
        Ok(Op::Call(Box::new(self.call_itself(body)?)))
    }

    pub(super) fn invoke(&mut self, body: &mut Body<'a>) -> Result<Op> {
        let call = Box::new(self.call_itself(body)?);
        while let Token::Hash(_) = self.token {
            self.advance()?;
        }
        self.expect_word("to")?;
        let normal = self.target(body)?;
        self.expect_word("unwind")?;
        let unwind = self.target(body)?;
        Ok(Op::Invoke { call, normal, unwind })
    }

    fn call_itself(&mut self, body: &mut Body<'a>) -> Result<Call> {
        // Fast-math flags, the calling convention and attributes of the result.
        while !self.at_type() {
            match self.token {
                Token::Word(_) | Token::Str(_) | Token::Hash(_) => self.skip_attribute()?,
                _ => return self.expected("the type that a call returns"),
            }
        }
        let ty = self.ty()?;
        let result = match self.module.types.get(ty) {
            Type::Function { result, .. } => *result,
            _ => ty,
        };
        let callee = self.callee(body)?;
        let arguments = self.arguments(callee, body)?;
        // Attributes of the call, and operand bundles.
        loop {
            match self.token {
                Token::Hash(name) if !name.starts_with("dbg") => {
                    self.advance()?;
                }
                Token::Punct(b'[') => self.skip_brackets()?,
                Token::Word(word) if word.starts_with("no") || word == "memory" || word == "willreturn" => {
                    self.skip_attribute()?;
                }
                _ => return Ok(Call { callee, result, arguments }),
            }
        }
    }

    fn callee(&mut self, body: &mut Body<'a>) -> Result<Callee> {
        match self.token {
            Token::Global(name) => {
                let name = self.symbol(name);
                self.advance()?;
                Ok(Callee::Symbol(name))
            }
            Token::Local(name) => {
                self.advance()?;
                Ok(Callee::Local(body.local(name)))
            }
            Token::Word("asm") => {
                self.advance()?;
                while let Token::Word(_) = self.token {
                    self.advance()?;
                }
                let Token::Str(template) = self.token else { return self.expected("the text of an `asm`") };
                let template = self.symbol(template);
                self.advance()?;
                self.expect(b',')?;
                let Token::Str(constraints) = self.token else {
                    return self.expected("the constraints of an `asm`");
                };
                let constraints = self.symbol(constraints);
                self.advance()?;
                Ok(Callee::Asm { template, constraints })
            }
            _ => {
                let pointer = self.intern(Type::Pointer);
                Ok(Callee::Constant(self.constant(pointer)?))
            }
        }
    }

    fn arguments(&mut self, callee: Callee, body: &mut Body<'a>) -> Result<Vec<Argument>> {
        let declares = matches!(callee, Callee::Symbol(name) if self.module.names.get(name) == "llvm.dbg.declare");
        let mut arguments = Vec::new();
        let mut address = None;
        self.expect(b'(')?;
        while !self.at(b')') {
            let ty = self.ty()?;
            if let Type::Metadata = self.module.types.get(ty) {
                self.metadata_argument(declares, &mut address, body)?;
            } else {
                let by_value = self.skip_attributes()?;
                let value = self.value(ty, body)?;
                arguments.push(Argument { ty, value, by_value });
            }
            if !self.take(b',')? {
                break;
            }
        }
        self.expect(b')')?;
        Ok(arguments)
    }

    /// `metadata ptr %x`, `metadata !12`, `metadata !DIExpression()`; the first two say where a variable lives.
    fn metadata_argument(
        &mut self,
        declares: bool,
        address: &mut Option<crate::LocalId>,
        body: &mut Body<'a>,
    ) -> Result<()> {
        if declares && self.at_type() {
            self.ty()?;
            if let Token::Local(name) = self.token {
                *address = Some(body.local(name));
            }
            while !matches!(self.token, Token::Punct(b',' | b')') | Token::End) {
                self.advance()?;
            }
            return Ok(());
        }
        if let (Some(Field::Node(variable)), Some(address)) = (self.metadata_value()?, *address)
            && body.variables.last().is_none_or(|known| known.address != address)
        {
            body.variables.push(Variable { address, variable, at: body.at });
        }
        Ok(())
    }
}
