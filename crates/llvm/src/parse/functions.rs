use super::{Parser, Result};
use crate::lexer::Token;
use crate::{Block, BlockId, Function, Linkage, LocalId, Op, Operand, Parameter, Type, TypeId, Variable};
use hashbrown::HashMap;

/// What is known of the function that is being read.
#[derive(Default)]
pub(super) struct Body<'a> {
    locals: HashMap<&'a str, LocalId>,
    /// By local: its name, and whether it was defined.
    names: Vec<(&'a str, bool)>,
    blocks: HashMap<&'a str, BlockId>,
    /// By block in the order in which they were mentioned: the name, and its place in the text.
    places: Vec<(&'a str, Option<u32>)>,
    unnamed: u32,
    pub variables: Vec<Variable>,
    /// The block that is being read, and how many of its instructions have been.
    pub at: (usize, usize),
}

impl<'a> Body<'a> {
    pub(super) fn local(&mut self, name: &'a str) -> LocalId {
        *self.locals.entry(name).or_insert_with(|| {
            self.names.push((name, false));
            LocalId(self.names.len() as u32 - 1)
        })
    }

    /// Whether it had not been defined before.
    fn define(&mut self, local: LocalId) -> bool {
        !std::mem::replace(&mut self.names[local.0 as usize].1, true)
    }

    pub(super) fn block(&mut self, name: &'a str) -> BlockId {
        *self.blocks.entry(name).or_insert_with(|| {
            self.places.push((name, None));
            BlockId(self.places.len() as u32 - 1)
        })
    }

    /// The name of a block that was mentioned.
    pub(super) fn name_of(&self, block: BlockId) -> &'a str {
        self.places[block.0 as usize].0
    }
}

/// Numbers that values without a name get; there is room for more than any function has.
const NUMBERS: usize = 256;

impl<'a> Parser<'a> {
    /// `define ... { ... }` or `declare ...`
    pub(super) fn function(&mut self, defined: bool) -> Result<()> {
        let line = self.line();
        self.advance()?;
        let mut linkage = None;
        while !self.at_type() {
            if let Token::Word(word) = self.token {
                linkage = linkage.or(Linkage::of(word));
            }
            match self.token {
                Token::Word(_) | Token::Str(_) | Token::Hash(_) => self.skip_attribute()?,
                Token::Metadata(kind) => {
                    self.attachment(kind)?;
                }
                _ => return self.expected("the type that a function returns"),
            }
        }
        let result = self.ty()?;
        let Token::Global(name) = self.token else { return self.expected("the name of a function") };
        let name = self.symbol(name);
        self.advance()?;
        let mut body = Body::default();
        let (parameters, varargs) = self.parameters(&mut body)?;
        let mut function = Function {
            name,
            result,
            parameters,
            varargs,
            blocks: Vec::new(),
            linkage: linkage.unwrap_or_default(),
            comdat: None,
            locals: Vec::new(),
            debug: None,
            variables: Vec::new(),
            line,
        };
        self.function_properties(&mut function, defined)?;
        if defined {
            self.expect(b'{')?;
            function.blocks = self.blocks(&mut body)?;
            if let Some((name, _)) = body.names.iter().find(|(_, defined)| !defined) {
                return self.error(format!("`%{}` is not defined", super::shortened(name)));
            }
            function.locals = body.names.iter().map(|(name, _)| self.symbol(name)).collect();
            function.variables = body.variables;
        }
        self.module.functions.push(function);
        Ok(())
    }

    fn parameters(&mut self, body: &mut Body<'a>) -> Result<(Vec<Parameter>, bool)> {
        let mut parameters = Vec::new();
        self.expect(b'(')?;
        let mut varargs = false;
        while !self.at(b')') {
            if self.take_word("...")? {
                varargs = true;
                break;
            }
            let ty = self.ty()?;
            let by_value = self.skip_attributes()?;
            let name = match self.token {
                Token::Local(name) => {
                    self.advance()?;
                    name
                }
                _ => number_name(body.unnamed as usize),
            };
            if name.bytes().all(|b| b.is_ascii_digit()) {
                body.unnamed += 1;
            }
            let local = body.local(name);
            if !body.define(local) {
                return self.error(format!("`%{}` is defined twice", super::shortened(name)));
            }
            parameters.push(Parameter { ty, local, by_value });
            if !self.take(b',')? {
                break;
            }
        }
        self.expect(b')')?;
        Ok((parameters, varargs))
    }

    /// What stands between the parameters and the body.
    fn function_properties(&mut self, function: &mut Function, defined: bool) -> Result<()> {
        loop {
            match self.token {
                Token::Word("personality" | "prefix" | "prologue") => {
                    self.advance()?;
                    self.typed_constant()?;
                }
                // A declaration ends where the next thing begins.
                Token::Word("define" | "declare" | "attributes" | "source_filename" | "target") if !defined => {
                    return Ok(());
                }
                Token::Metadata(_) if !defined => return Ok(()),
                Token::Word("comdat") => function.comdat = self.comdat(function.name)?,
                Token::Word(_) | Token::Str(_) | Token::Hash(_) => self.skip_attribute()?,
                Token::Metadata(kind) => {
                    if let Some(node) = self.attachment(kind)? {
                        function.debug = Some(node);
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    fn blocks(&mut self, body: &mut Body<'a>) -> Result<Vec<Block>> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut ended = true;
        while !self.at(b'}') {
            if let Some(name) = self.label()? {
                if !ended {
                    return self.error("a block starts before the one above it has ended");
                }
                self.start_block(body, name, &mut blocks)?;
                ended = false;
                continue;
            }
            if ended {
                if !blocks.is_empty() {
                    return self.expected("a label or `}`");
                }
                let name = number_name(body.unnamed as usize);
                self.start_block(body, name, &mut blocks)?;
                ended = false;
            }
            if let Token::Hash(record) = self.token {
                self.debug_record(record, body)?;
                continue;
            }
            if let Token::Word("uselistorder") = self.token {
                self.skip_line()?;
                continue;
            }
            let instruction = self.instruction(body)?;
            if let Some(result) = instruction.result
                && !body.define(result)
            {
                let name = super::shortened(body.names[result.0 as usize].0);
                return self.error(format!("`%{name}` is defined twice"));
            }
            ended = instruction.op.ends_block();
            let block = blocks.last_mut().expect("started above");
            block.instructions.push(instruction);
            body.at.1 += 1;
        }
        if !ended || blocks.is_empty() {
            return self.error("a function ends in the middle of a block");
        }
        self.expect(b'}')?;
        self.resolve(body, &mut blocks)?;
        Ok(blocks)
    }

    fn start_block(&mut self, body: &mut Body<'a>, name: &'a str, blocks: &mut Vec<Block>) -> Result<()> {
        let id = body.block(name);
        let place = &mut body.places[id.0 as usize].1;
        if place.replace(blocks.len() as u32).is_some() {
            return self.error(format!("the label `{}` is defined twice", super::shortened(name)));
        }
        body.at = (blocks.len(), 0);
        blocks.push(Block::default());
        Ok(())
    }

    /// A name and a colon.
    fn label(&mut self) -> Result<Option<&'a str>> {
        let (Token::Word(name) | Token::Str(name)) = self.token else { return Ok(None) };
        let mut ahead = self.lexer;
        if ahead.next() != Ok(Token::Punct(b':')) {
            return Ok(None);
        }
        self.advance()?;
        self.advance()?;
        Ok(Some(name))
    }

    /// Jumps name blocks in the order of their mention until all are known; then by their place in the text.
    fn resolve(&mut self, body: &Body<'a>, blocks: &mut [Block]) -> Result<()> {
        if let Some((name, _)) = body.places.iter().find(|(_, place)| place.is_none()) {
            return self.error(format!("there is no block `%{}`", super::shortened(name)));
        }
        let place = |block: &mut BlockId| block.0 = body.places[block.0 as usize].1.unwrap_or(0);
        for instruction in blocks.iter_mut().flat_map(|block| &mut block.instructions) {
            match &mut instruction.op {
                Op::Br { target } => place(target),
                Op::CondBr { yes, no, .. } => {
                    place(yes);
                    place(no);
                }
                Op::Invoke { normal, unwind, .. } => {
                    place(normal);
                    place(unwind);
                }
                Op::Switch { default, cases, .. } => {
                    place(default);
                    cases.iter_mut().for_each(|(_, target)| place(target));
                }
                Op::IndirectBr { targets, .. } => targets.iter_mut().for_each(|(_, target)| place(target)),
                Op::Phi { incoming, .. } => incoming.iter_mut().for_each(|(_, from)| place(from)),
                _ => {}
            }
        }
        Ok(())
    }

    /// `#dbg_declare(ptr %x, !3, !DIExpression(), !4)`
    fn debug_record(&mut self, record: &str, body: &mut Body<'a>) -> Result<()> {
        self.advance()?;
        if record != "dbg_declare" || !self.take(b'(')? {
            return if self.at(b'(') { self.skip_brackets() } else { self.expected("`(`") };
        }
        let mut address = None;
        if self.at_type() {
            self.ty()?;
        }
        if let Token::Local(name) = self.token {
            address = Some(body.local(name));
            self.advance()?;
        }
        while !self.at(b',') {
            if self.token == Token::End {
                return self.expected("`,`");
            }
            self.advance()?;
        }
        self.advance()?;
        if let (Some(address), Some(crate::metadata::Field::Node(variable))) = (address, self.metadata_value()?) {
            body.variables.push(Variable { address, variable, at: body.at });
        }
        while self.take(b',')? {
            self.metadata_value()?;
        }
        self.expect(b')')
    }

    /// A value of a known type.
    pub(super) fn value(&mut self, ty: TypeId, body: &mut Body<'a>) -> Result<Operand> {
        if let Token::Local(name) = self.token {
            self.advance()?;
            return Ok(Operand::Local(body.local(name)));
        }
        Ok(Operand::Constant(self.constant(ty)?))
    }

    pub(super) fn typed_value(&mut self, body: &mut Body<'a>) -> Result<(TypeId, Operand)> {
        let ty = self.ty()?;
        self.skip_attributes()?;
        Ok((ty, self.value(ty, body)?))
    }

    pub(super) fn target(&mut self, body: &mut Body<'a>) -> Result<BlockId> {
        self.expect_word("label")?;
        match self.token {
            Token::Local(name) => {
                self.advance()?;
                Ok(body.block(name))
            }
            _ => self.expected("the name of a block"),
        }
    }

    /// Skips the attributes before a value. Returns the type of `byval(T)`.
    pub(super) fn skip_attributes(&mut self) -> Result<Option<TypeId>> {
        let mut by_value = None;
        loop {
            match self.token {
                Token::Word("byval") => {
                    self.advance()?;
                    if self.take(b'(')? {
                        by_value = Some(self.ty()?);
                        self.expect(b')')?;
                    }
                }
                Token::Word("align") => {
                    self.advance()?;
                    if self.at(b'(') {
                        self.skip_brackets()?;
                    } else {
                        self.advance()?;
                    }
                }
                Token::Word(word) if is_attribute(word) => self.skip_attribute()?,
                Token::Str(_) | Token::Hash(_) => self.skip_attribute()?,
                _ => return Ok(by_value),
            }
        }
    }

    pub(super) fn is_void(&self, ty: TypeId) -> bool {
        matches!(self.module.types.get(ty), Type::Void)
    }
}

/// A word before a value that is neither a value nor a number.
fn is_attribute(word: &str) -> bool {
    let value = matches!(
        word,
        "null"
            | "zeroinitializer"
            | "none"
            | "undef"
            | "poison"
            | "true"
            | "false"
            | "getelementptr"
            | "blockaddress"
            | "dso_local_equivalent"
            | "no_cfi"
            | "ptrauth"
            | "splat"
            | "asm"
            | "to"
            | "icmp"
            | "fcmp"
            | "select"
            | "extractelement"
            | "insertelement"
            | "shufflevector"
            | "extractvalue"
            | "insertvalue"
            | "fneg"
            | "..."
    );
    !value
        && super::constants::cast(word).is_none()
        && super::constants::binary(word).is_none()
        && word.starts_with(|c: char| c.is_ascii_alphabetic())
        && !(word.contains("0x") && word.len() > 3 && word.find("0x").is_some_and(|at| at <= 1))
}

/// The decimal form of a number, without an allocation for each.
fn number_name(number: usize) -> &'static str {
    static NAMES: std::sync::OnceLock<Vec<String>> = std::sync::OnceLock::new();
    let names = NAMES.get_or_init(|| (0..NUMBERS).map(|n| n.to_string()).collect());
    names.get(number).map_or("more than 255 parameters without a name", String::as_str)
}
