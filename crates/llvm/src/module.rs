//! A module as data.

use crate::{Constant, ConstantId, Instruction, MetadataId, Names, Symbol, TypeId, Types};

#[derive(Clone, Debug, Default)]
pub struct Module {
    pub names: Names,
    pub types: Types,
    pub constants: Vec<Constant>,
    pub globals: Vec<Global>,
    pub functions: Vec<Function>,
    /// Other names of globals and functions.
    pub aliases: Vec<(Symbol, ConstantId)>,
    pub metadata: crate::Metadata,
    pub data_layout: String,
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    pub name: Symbol,
    pub ty: TypeId,
    /// `None`: defined elsewhere.
    pub init: Option<ConstantId>,
    /// Null if no other file defines it.
    pub weak: bool,
    pub constant: bool,
    pub thread_local: bool,
    pub alignment: u64,
    pub debug: Vec<MetadataId>,
    /// The line of the text.
    pub line: u32,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: Symbol,
    pub result: TypeId,
    pub parameters: Vec<Parameter>,
    pub varargs: bool,
    /// Empty: defined elsewhere.
    pub blocks: Vec<Block>,
    /// Null if no other file defines it.
    pub weak: bool,
    /// A name for each [`LocalId`].
    pub locals: Vec<Symbol>,
    pub debug: Option<MetadataId>,
    /// Variables and the values or addresses that hold them.
    pub variables: Vec<Variable>,
    /// The line of the text.
    pub line: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub ty: TypeId,
    pub local: LocalId,
    /// The callee gets its own copy of what the pointer points to.
    pub by_value: Option<TypeId>,
}

/// What `#dbg_declare` says: a variable of the source lives at an address.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    pub address: LocalId,
    pub variable: MetadataId,
}

/// A value of a function: a parameter or the result of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

#[derive(Clone, Debug, Default)]
pub struct Block {
    pub instructions: Vec<Instruction>,
}

impl Module {
    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.get(symbol)
    }

    pub fn constant(&self, id: ConstantId) -> &Constant {
        &self.constants[id.0 as usize]
    }
}

impl Function {
    pub fn is_defined(&self) -> bool {
        !self.blocks.is_empty()
    }
}
