use crate::{BlockId, ConstantId, LocalId, MetadataId, Operand, Symbol, TypeId};

#[derive(Clone, Debug)]
pub struct Instruction {
    pub result: Option<LocalId>,
    pub op: Op,
    /// The number of its `DILocation`.
    pub location: Option<MetadataId>,
    /// The line of the text.
    pub line: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cast {
    Trunc,
    ZExt,
    SExt,
    FpTrunc,
    FpExt,
    FpToUi,
    FpToSi,
    UiToFp,
    SiToFp,
    PtrToInt,
    IntToPtr,
    BitCast,
    AddrSpaceCast,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntPredicate {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

/// By what a comparison of floats is true for: less, equal, greater, unordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatPredicate {
    pub less: bool,
    pub equal: bool,
    pub greater: bool,
    pub unordered: bool,
}

/// LLVM's orderings; `Unordered` is what Java asks of a plain access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicOrdering {
    Unordered,
    Monotonic,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RmwOp {
    Xchg,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
    /// `fadd`, `uinc_wrap` and others that C11 does not have.
    Other(Symbol),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    Symbol(Symbol),
    Local(LocalId),
    /// Through a constant expression.
    Constant(ConstantId),
    /// Inline assembly, by its template and constraints.
    Asm {
        template: Symbol,
        constraints: Symbol,
    },
}

#[derive(Clone, Debug)]
pub struct Argument {
    pub ty: TypeId,
    pub value: Operand,
    pub by_value: Option<TypeId>,
}

#[derive(Clone, Debug)]
pub struct Call {
    pub callee: Callee,
    pub result: TypeId,
    /// Arguments that are metadata are left out.
    pub arguments: Vec<Argument>,
}

/// What a landing pad is for.
#[derive(Clone, Copy, Debug)]
pub enum Clause {
    /// Exceptions of this type, or all if it is null.
    Catch(Operand),
    /// Exceptions of other types than those of this array, of this type.
    Filter(TypeId, Operand),
}

#[derive(Clone, Debug)]
pub enum Op {
    Binary {
        op: Binary,
        ty: TypeId,
        a: Operand,
        b: Operand,
    },
    FNeg {
        ty: TypeId,
        a: Operand,
    },
    ICmp {
        predicate: IntPredicate,
        ty: TypeId,
        a: Operand,
        b: Operand,
    },
    FCmp {
        predicate: FloatPredicate,
        ty: TypeId,
        a: Operand,
        b: Operand,
    },
    Cast {
        op: Cast,
        from: TypeId,
        value: Operand,
        to: TypeId,
    },
    Select {
        condition: Operand,
        condition_type: TypeId,
        ty: TypeId,
        yes: Operand,
        no: Operand,
    },
    Freeze {
        ty: TypeId,
        value: Operand,
    },
    Alloca {
        ty: TypeId,
        count: Option<(TypeId, Operand)>,
        alignment: u64,
    },
    Load {
        ty: TypeId,
        pointer: Operand,
        ordering: Option<AtomicOrdering>,
        single_thread: bool,
        /// What the pointer is a multiple of; that of the type if it is not said.
        alignment: Option<u64>,
    },
    Store {
        ty: TypeId,
        value: Operand,
        pointer: Operand,
        ordering: Option<AtomicOrdering>,
        single_thread: bool,
        alignment: Option<u64>,
    },
    GetElementPtr {
        source: TypeId,
        base: Operand,
        indices: Vec<(TypeId, Operand)>,
    },
    CmpXchg {
        weak: bool,
        ty: TypeId,
        pointer: Operand,
        expected: Operand,
        desired: Operand,
        success: AtomicOrdering,
        failure: AtomicOrdering,
    },
    AtomicRmw {
        op: RmwOp,
        ty: TypeId,
        pointer: Operand,
        value: Operand,
        ordering: AtomicOrdering,
    },
    Fence {
        ordering: AtomicOrdering,
        single_thread: bool,
    },
    Call(Box<Call>),
    Invoke {
        call: Box<Call>,
        normal: BlockId,
        unwind: BlockId,
    },
    Phi {
        ty: TypeId,
        incoming: Vec<(Operand, BlockId)>,
    },
    ExtractValue {
        ty: TypeId,
        aggregate: Operand,
        indices: Vec<u32>,
    },
    InsertValue {
        ty: TypeId,
        aggregate: Operand,
        part: TypeId,
        value: Operand,
        indices: Vec<u32>,
    },
    ExtractElement {
        ty: TypeId,
        vector: Operand,
        index: Operand,
    },
    InsertElement {
        ty: TypeId,
        vector: Operand,
        element: Operand,
        index: Operand,
    },
    ShuffleVector {
        ty: TypeId,
        a: Operand,
        b: Operand,
        mask_type: TypeId,
        mask: ConstantId,
    },
    Br {
        target: BlockId,
    },
    CondBr {
        condition: Operand,
        yes: BlockId,
        no: BlockId,
    },
    Switch {
        ty: TypeId,
        value: Operand,
        default: BlockId,
        cases: Vec<(Operand, BlockId)>,
    },
    /// Goes on at the block whose address this is: one of these, which come with their names.
    IndirectBr {
        address: Operand,
        targets: Vec<(Symbol, BlockId)>,
    },
    Ret {
        ty: TypeId,
        value: Option<Operand>,
    },
    Unreachable,
    /// Goes on with an exception, by what its landing pad returned.
    Resume {
        ty: TypeId,
        value: Operand,
    },
    /// Where an exception arrives. It returns the exception, and which of the clauses it met.
    LandingPad {
        ty: TypeId,
        /// Whether every exception stops here, whatever the clauses.
        cleanup: bool,
        clauses: Vec<Clause>,
    },
    /// An instruction that is not supported, by its keyword. `ends_block` if nothing follows it in its block.
    Unsupported {
        keyword: Symbol,
        ends_block: bool,
    },
}

impl Op {
    pub fn ends_block(&self) -> bool {
        matches!(
            self,
            Op::Br { .. }
                | Op::CondBr { .. }
                | Op::Switch { .. }
                | Op::IndirectBr { .. }
                | Op::Ret { .. }
                | Op::Unreachable
                | Op::Resume { .. }
                | Op::Invoke { .. }
                | Op::Unsupported { ends_block: true, .. }
        )
    }
}
