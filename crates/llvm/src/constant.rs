use crate::{Binary, Cast, LocalId, Symbol, TypeId};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConstantId(pub u32);

/// A constant with its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    pub ty: TypeId,
    pub kind: ConstantKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ConstantKind {
    /// The low 64 bits, sign extended from the width of the type; `wide` when there were more.
    Int {
        value: i64,
        wide: bool,
    },
    /// An integer of 65 to 128 bits.
    Wide(i128),
    /// The bits of a `float` or `double`.
    Float(u64),
    Zero,
    Undef,
    Bytes(Vec<u8>),
    Aggregate(Vec<ConstantId>),
    /// The address of a global variable or a function.
    Symbol(Symbol),
    /// The address of a block of a function, both by their names.
    BlockAddress {
        function: Symbol,
        block: Symbol,
    },
    GetElementPtr {
        source: TypeId,
        base: ConstantId,
        indices: Vec<ConstantId>,
    },
    Cast {
        op: Cast,
        value: ConstantId,
    },
    Binary {
        op: Binary,
        a: ConstantId,
        b: ConstantId,
    },
    /// A vector whose elements are all this one.
    Splat(ConstantId),
    /// A constant that is not supported, by its keyword.
    Unsupported(Symbol),
}

/// What an instruction works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    Local(LocalId),
    Constant(ConstantId),
}
