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
    pub aliases: Vec<Alias>,
    /// Groups of definitions of which a program has one: how to choose among the modules that have it.
    pub comdats: Vec<(Symbol, Selection)>,
    pub metadata: crate::Metadata,
    pub data_layout: String,
}

/// How a name is shared with other modules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Linkage {
    /// Known in its module only: `private` and `internal`.
    Local,
    /// A copy of what another module defines.
    AvailableExternally,
    /// `linkonce`, `weak`, and their `_odr` forms: any other definition may replace it.
    Weak,
    /// A tentative definition of C: all of them are one variable.
    Common,
    /// A list to which every module adds, such as `llvm.global_ctors`.
    Appending,
    /// A declaration. It is null if no module defines it.
    ExternWeak,
    #[default]
    External,
}

impl Linkage {
    /// The linkage that a keyword stands for.
    pub(crate) fn of(word: &str) -> Option<Linkage> {
        Some(match word {
            "private" | "internal" => Linkage::Local,
            "available_externally" => Linkage::AvailableExternally,
            "linkonce" | "linkonce_odr" | "weak" | "weak_odr" => Linkage::Weak,
            "common" => Linkage::Common,
            "appending" => Linkage::Appending,
            "extern_weak" => Linkage::ExternWeak,
            "external" => Linkage::External,
            _ => return None,
        })
    }
}

/// How one of several comdats of the same name is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// They are the same, or are asked to be: any of them.
    Any,
    /// The definitions of every module stay, as if they were in no group.
    NoDuplicates,
}

/// Another name of a global or a function.
#[derive(Clone, Copy, Debug)]
pub struct Alias {
    pub name: Symbol,
    pub linkage: Linkage,
    pub target: ConstantId,
    /// The target is a function that returns the address (`ifunc`).
    pub resolved: bool,
    /// The line of the text.
    pub line: u32,
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    pub name: Symbol,
    pub ty: TypeId,
    /// `None`: defined elsewhere.
    pub init: Option<ConstantId>,
    pub linkage: Linkage,
    pub comdat: Option<Symbol>,
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
    pub linkage: Linkage,
    pub comdat: Option<Symbol>,
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
    /// The block where that is said, by its place in the text, and how many of its instructions come before.
    pub at: (usize, usize),
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
