use super::functions::Body;
use super::{Parser, Result};
use crate::lexer::Token;
use crate::{Clause, FloatPredicate, Instruction, IntPredicate, Op};

impl<'a> Parser<'a> {
    pub(super) fn instruction(&mut self, body: &mut Body<'a>) -> Result<Instruction> {
        let line = self.line();
        let mut result = None;
        if let Token::Local(name) = self.token {
            result = Some(body.local(name));
            self.advance()?;
            self.expect(b'=')?;
        }
        let keyword = self.word("an instruction")?;
        let op = self.op(keyword, body)?;
        // A call that returns nothing cannot have a result, and what returns something must be nameable.
        let mut instruction = Instruction { result, op, location: None, line };
        loop {
            match self.token {
                Token::Hash(name) if !name.starts_with("dbg") => {
                    self.advance()?;
                }
                Token::Punct(b',') => {
                    self.advance()?;
                    match self.token {
                        Token::Metadata(kind) => {
                            if let Some(location) = self.attachment(kind)? {
                                instruction.location = Some(location);
                            }
                        }
                        Token::Word("align" | "addrspace") => {
                            self.advance()?;
                            if self.at(b'(') {
                                self.skip_brackets()?;
                            } else {
                                self.advance()?;
                            }
                        }
                        _ => return self.expected("metadata"),
                    }
                }
                _ => break,
            }
        }
        Ok(instruction)
    }

    fn op(&mut self, keyword: &'a str, body: &mut Body<'a>) -> Result<Op> {
        if let Some(op) = super::constants::binary(keyword) {
            self.skip_attributes_before_type()?;
            let (ty, a) = self.typed_value(body)?;
            self.expect(b',')?;
            let b = self.value(ty, body)?;
            return Ok(Op::Binary { op, ty, a, b });
        }
        if let Some(op) = super::constants::cast(keyword) {
            self.skip_attributes_before_type()?;
            let (from, value) = self.typed_value(body)?;
            self.expect_word("to")?;
            let to = self.ty()?;
            return Ok(Op::Cast { op, from, value, to });
        }
        match keyword {
            "br" => self.branch(body),
            "switch" => self.switch(body),
            "indirectbr" => self.indirect_branch(body),
            "ret" => self.ret(body),
            "unreachable" => Ok(Op::Unreachable),
            "resume" => {
                let (ty, value) = self.typed_value(body)?;
                Ok(Op::Resume { ty, value })
            }
            "icmp" | "fcmp" => self.compare(keyword, body),
            "select" => self.select(body),
            "phi" => self.phi(body),
            "fneg" => {
                self.skip_attributes_before_type()?;
                let (ty, a) = self.typed_value(body)?;
                Ok(Op::FNeg { ty, a })
            }
            "freeze" => {
                let (ty, value) = self.typed_value(body)?;
                Ok(Op::Freeze { ty, value })
            }
            "extractvalue" => {
                let (ty, aggregate) = self.typed_value(body)?;
                Ok(Op::ExtractValue { ty, aggregate, indices: self.indices()? })
            }
            "insertvalue" => {
                let (ty, aggregate) = self.typed_value(body)?;
                self.expect(b',')?;
                let (part, value) = self.typed_value(body)?;
                Ok(Op::InsertValue { ty, aggregate, part, value, indices: self.indices()? })
            }
            "extractelement" => {
                let (ty, vector) = self.typed_value(body)?;
                self.expect(b',')?;
                let (_, index) = self.typed_value(body)?;
                Ok(Op::ExtractElement { ty, vector, index })
            }
            "insertelement" => {
                let (ty, vector) = self.typed_value(body)?;
                self.expect(b',')?;
                let (_, element) = self.typed_value(body)?;
                self.expect(b',')?;
                let (_, index) = self.typed_value(body)?;
                Ok(Op::InsertElement { ty, vector, element, index })
            }
            "shufflevector" => {
                let (ty, a) = self.typed_value(body)?;
                self.expect(b',')?;
                let (_, b) = self.typed_value(body)?;
                self.expect(b',')?;
                let mask_type = self.ty()?;
                let mask = self.constant(mask_type)?;
                Ok(Op::ShuffleVector { ty, a, b, mask_type, mask })
            }
            "landingpad" => self.landing_pad(body),
            "call" | "tail" | "musttail" | "notail" => self.call(keyword, body),
            "invoke" => self.invoke(body),
            "alloca" => self.alloca(body),
            "load" => self.load(body),
            "store" => self.store(body),
            "getelementptr" => self.get_element_ptr(body),
            "cmpxchg" => self.compare_exchange(body),
            "atomicrmw" => self.atomic_rmw(body),
            "fence" => self.fence(),
            _ => self.unsupported(keyword),
        }
    }

    fn unsupported(&mut self, keyword: &'a str) -> Result<Op> {
        let ends_block = matches!(keyword, "callbr" | "cleanupret" | "catchret" | "catchswitch");
        let known = ends_block || matches!(keyword, "va_arg" | "catchpad" | "cleanuppad");
        if !known {
            return self.error(format!("`{}` is no instruction of LLVM IR", super::shortened(keyword)));
        }
        let keyword = self.module.names.intern(keyword);
        // What cannot be understood ends with its line, or with the bracket that it opens there.
        let mut depth = 0i32;
        let line = self.line();
        loop {
            match self.token {
                Token::Punct(b'[' | b'(' | b'{' | b'<') => depth += 1,
                Token::Punct(b']' | b')' | b'}' | b'>') => depth -= 1,
                Token::End => return self.expected("the end of an instruction"),
                _ => {}
            }
            if depth < 0 {
                break;
            }
            self.advance()?;
            if depth == 0 && self.line() > line {
                break;
            }
        }
        Ok(Op::Unsupported { keyword, ends_block })
    }

    /// `nuw`, `nsw`, `exact`, `fast` and so on.
    pub(super) fn skip_attributes_before_type(&mut self) -> Result<()> {
        while matches!(self.token, Token::Word(_)) && !self.at_type() {
            self.skip_attribute()?;
        }
        Ok(())
    }

    fn branch(&mut self, body: &mut Body<'a>) -> Result<Op> {
        if self.at_word("label") {
            return Ok(Op::Br { target: self.target(body)? });
        }
        let (_, condition) = self.typed_value(body)?;
        self.expect(b',')?;
        let yes = self.target(body)?;
        self.expect(b',')?;
        let no = self.target(body)?;
        Ok(Op::CondBr { condition, yes, no })
    }

    fn switch(&mut self, body: &mut Body<'a>) -> Result<Op> {
        let (ty, value) = self.typed_value(body)?;
        self.expect(b',')?;
        let default = self.target(body)?;
        self.expect(b'[')?;
        let mut cases = Vec::new();
        while !self.take(b']')? {
            let (_, case) = self.typed_value(body)?;
            self.expect(b',')?;
            cases.push((case, self.target(body)?));
        }
        Ok(Op::Switch { ty, value, default, cases })
    }

    fn indirect_branch(&mut self, body: &mut Body<'a>) -> Result<Op> {
        let (_, address) = self.typed_value(body)?;
        self.expect(b',')?;
        self.expect(b'[')?;
        let mut targets = Vec::new();
        while !self.take(b']')? {
            if !targets.is_empty() {
                self.expect(b',')?;
            }
            let target = self.target(body)?;
            targets.push((self.symbol(body.name_of(target)), target));
        }
        Ok(Op::IndirectBr { address, targets })
    }

    fn ret(&mut self, body: &mut Body<'a>) -> Result<Op> {
        let ty = self.ty()?;
        let value = if self.is_void(ty) { None } else { Some(self.value(ty, body)?) };
        Ok(Op::Ret { ty, value })
    }

    fn compare(&mut self, keyword: &str, body: &mut Body<'a>) -> Result<Op> {
        let mut word = self.word("a comparison")?;
        // `samesign` and fast-math flags come first.
        while int_predicate(word).is_none() && float_predicate(word).is_none() {
            word = self.word("a comparison")?;
        }
        let (ty, a) = self.typed_value(body)?;
        self.expect(b',')?;
        let b = self.value(ty, body)?;
        let op = match keyword {
            "icmp" => int_predicate(word).map(|predicate| Op::ICmp { predicate, ty, a, b }),
            _ => float_predicate(word).map(|predicate| Op::FCmp { predicate, ty, a, b }),
        };
        op.map_or_else(|| self.error(format!("`{word}` is no comparison of `{keyword}`")), Ok)
    }

    fn select(&mut self, body: &mut Body<'a>) -> Result<Op> {
        self.skip_attributes_before_type()?;
        let (condition_type, condition) = self.typed_value(body)?;
        self.expect(b',')?;
        let (ty, yes) = self.typed_value(body)?;
        self.expect(b',')?;
        let (_, no) = self.typed_value(body)?;
        Ok(Op::Select { condition, condition_type, ty, yes, no })
    }

    fn phi(&mut self, body: &mut Body<'a>) -> Result<Op> {
        self.skip_attributes_before_type()?;
        let ty = self.ty()?;
        let mut incoming = Vec::new();
        loop {
            self.expect(b'[')?;
            let value = self.value(ty, body)?;
            self.expect(b',')?;
            let Token::Local(name) = self.token else { return self.expected("the name of a block") };
            self.advance()?;
            incoming.push((value, body.block(name)));
            self.expect(b']')?;
            if !self.at(b',') || !self.next_is_bracket() {
                return Ok(Op::Phi { ty, incoming });
            }
            self.advance()?;
        }
    }

    fn next_is_bracket(&self) -> bool {
        let mut ahead = self.lexer;
        ahead.next() == Ok(Token::Punct(b'['))
    }

    /// `, 0, 1`
    fn indices(&mut self) -> Result<Vec<u32>> {
        let mut indices = Vec::new();
        while self.at(b',') {
            let mut ahead = self.lexer;
            if !matches!(ahead.next(), Ok(Token::Word(_))) {
                break;
            }
            self.advance()?;
            indices.push(self.number("an index")?);
        }
        if indices.is_empty() { self.expected("an index") } else { Ok(indices) }
    }

    fn landing_pad(&mut self, body: &mut Body<'a>) -> Result<Op> {
        let ty = self.ty()?;
        let cleanup = self.take_word("cleanup")?;
        let mut clauses = Vec::new();
        while self.at_word("catch") || self.at_word("filter") {
            let catches = self.at_word("catch");
            self.advance()?;
            let (ty, value) = self.typed_value(body)?;
            clauses.push(if catches { Clause::Catch(value) } else { Clause::Filter(ty, value) });
        }
        Ok(Op::LandingPad { ty, cleanup, clauses })
    }
}

fn int_predicate(word: &str) -> Option<IntPredicate> {
    Some(match word {
        "eq" => IntPredicate::Eq,
        "ne" => IntPredicate::Ne,
        "ugt" => IntPredicate::Ugt,
        "uge" => IntPredicate::Uge,
        "ult" => IntPredicate::Ult,
        "ule" => IntPredicate::Ule,
        "sgt" => IntPredicate::Sgt,
        "sge" => IntPredicate::Sge,
        "slt" => IntPredicate::Slt,
        "sle" => IntPredicate::Sle,
        _ => return None,
    })
}

fn float_predicate(word: &str) -> Option<FloatPredicate> {
    let (less, equal, greater, unordered) = match word {
        "false" => (false, false, false, false),
        "oeq" => (false, true, false, false),
        "ogt" => (false, false, true, false),
        "oge" => (false, true, true, false),
        "olt" => (true, false, false, false),
        "ole" => (true, true, false, false),
        "one" => (true, false, true, false),
        "ord" => (true, true, true, false),
        "ueq" => (false, true, false, true),
        "ugt" => (false, false, true, true),
        "uge" => (false, true, true, true),
        "ult" => (true, false, false, true),
        "ule" => (true, true, false, true),
        "une" => (true, false, true, true),
        "uno" => (false, false, false, true),
        "true" => (true, true, true, true),
        _ => return None,
    };
    Some(FloatPredicate { less, equal, greater, unordered })
}
