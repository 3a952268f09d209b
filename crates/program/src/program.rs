//! The program model: one small register machine for all input languages.

use crate::{Ordering, Source, Span};

/// A word. `.fp` computes in 64-bit two's complement, wrapping.
pub type Value = i64;

/// The identity of a memory cell. Cells of one object have consecutive addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address(pub u64);

/// A virtual register of the function that mentions it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reg(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FuncId(pub u32);

/// Which values a cell or a declared register can hold. Values from outside wrap around into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// Every 64-bit integer.
    Int,
    /// `lo..hi`, both included.
    Range { lo: Value, hi: Value },
}

impl Ty {
    /// Reduces a value modulo the size of the type, as paper 003 does in Ex. 2.2.
    pub fn wrap(self, value: Value) -> Value {
        match self {
            Ty::Int => value,
            Ty::Range { lo, hi } if (lo..=hi).contains(&value) => value,
            Ty::Range { lo, hi } => {
                let size = hi as i128 - lo as i128 + 1;
                (lo as i128 + (value as i128 - lo as i128).rem_euclid(size)) as Value
            }
        }
    }
}

/// A named location or an array of locations.
#[derive(Clone, Debug)]
pub struct Object {
    pub name: String,
    pub first: Address,
    /// The initial value of each cell.
    pub init: Vec<Value>,
    pub ty: Ty,
    /// Whether the declaration calls it atomic. Accesses carry their own ordering.
    pub atomic: bool,
    /// Declared as an array, and so printed with an index.
    pub array: bool,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    Reg(Reg),
    Const(Value),
}

/// The cell that an access goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub object: ObjectId,
    /// `Const(0)` for an object that is not an array.
    pub index: Operand,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Copy,
    Neg,
    /// 1 if the operand is 0, else 0.
    Not,
    BitNot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
}

impl BinaryOp {
    /// `None` is a division by zero.
    pub fn apply(self, a: Value, b: Value) -> Option<Value> {
        Some(match self {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Div if b == 0 => return None,
            BinaryOp::Div => a.wrapping_div(b),
            BinaryOp::Rem if b == 0 => return None,
            BinaryOp::Rem => a.wrapping_rem(b),
            BinaryOp::And => a & b,
            BinaryOp::Or => a | b,
            BinaryOp::Xor => a ^ b,
            BinaryOp::Shl => a.wrapping_shl(b as u32),
            BinaryOp::Shr => a.wrapping_shr(b as u32),
            BinaryOp::Eq => (a == b) as Value,
            BinaryOp::Ne => (a != b) as Value,
            BinaryOp::Lt => (a < b) as Value,
            BinaryOp::Le => (a <= b) as Value,
        })
    }
}

/// What an always successful read-modify-write does to the old value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UpdateOp {
    Exchange,
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
    Min,
    Max,
}

/// An [`UpdateOp`] with its operand, and the type of the cell it writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Update {
    pub op: UpdateOp,
    pub operand: Value,
    pub ty: Ty,
}

impl Update {
    pub fn apply(self, old: Value) -> Value {
        let b = self.operand;
        self.ty.wrap(match self.op {
            UpdateOp::Exchange => b,
            UpdateOp::Add => old.wrapping_add(b),
            UpdateOp::Sub => old.wrapping_sub(b),
            UpdateOp::And => old & b,
            UpdateOp::Or => old | b,
            UpdateOp::Xor => old ^ b,
            UpdateOp::Nand => !(old & b),
            UpdateOp::Min => old.min(b),
            UpdateOp::Max => old.max(b),
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CasKind {
    Strong,
    /// May fail although it read the expected value.
    Weak,
}

/// The condition of a `wait`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    Eq,
    Ne,
}

/// Targets of jumps are indices into [`Function::code`]; falling off its end returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inst {
    Unary {
        dst: Reg,
        op: UnaryOp,
        a: Operand,
    },
    Binary {
        dst: Reg,
        op: BinaryOp,
        a: Operand,
        b: Operand,
    },
    Load {
        dst: Option<Reg>,
        place: Place,
        order: Ordering,
    },
    Store {
        place: Place,
        value: Operand,
        order: Ordering,
    },
    Rmw {
        dst: Option<Reg>,
        place: Place,
        op: UpdateOp,
        operand: Operand,
        order: Ordering,
    },
    Cas {
        /// Receives the value read.
        old: Option<Reg>,
        /// Receives 1 on success, else 0.
        ok: Option<Reg>,
        place: Place,
        expected: Operand,
        desired: Operand,
        success: Ordering,
        failure: Ordering,
        kind: CasKind,
    },
    /// Blocks until it succeeds (paper 003 §2.1).
    BlockingCas {
        place: Place,
        expected: Operand,
        desired: Operand,
        order: Ordering,
    },
    /// Blocks until it can read a value that compares so.
    Wait {
        place: Place,
        comparison: Comparison,
        value: Operand,
        order: Ordering,
    },
    Fence {
        order: Ordering,
    },
    Assert {
        cond: Operand,
    },
    /// Gives up the execution when the condition is 0.
    Assume {
        cond: Operand,
    },
    /// Any value from `lo` to `hi`, both included.
    Choose {
        dst: Reg,
        lo: Value,
        hi: Value,
    },
    Jump {
        target: u32,
    },
    Branch {
        cond: Operand,
        yes: u32,
        no: u32,
    },
    Call {
        dst: Option<Reg>,
        func: FuncId,
        args: Vec<Operand>,
    },
    Return {
        value: Option<Operand>,
    },
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// Registers `0..params` receive the arguments; the others start at 0.
    pub params: u32,
    /// A name and a type for each register. Assignments wrap into the type.
    pub registers: Vec<(String, Ty)>,
    pub code: Vec<Inst>,
    /// One for each instruction.
    pub spans: Vec<Span>,
    /// The registers whose values outlive a thread that ends in this function, for questions about final states.
    /// Empty unless someone asks: states that differ only in them are different states.
    pub observed: Vec<Reg>,
}

#[derive(Clone, Debug)]
pub struct Thread {
    pub name: String,
    pub func: FuncId,
    pub args: Vec<Value>,
}

/// A concurrent program: a fixed set of threads over shared objects.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub sources: Vec<Source>,
    pub objects: Vec<Object>,
    pub functions: Vec<Function>,
    pub threads: Vec<Thread>,
}

impl Program {
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The object that a cell belongs to, and the cell's index in it.
    pub fn locate(&self, address: Address) -> Option<(&Object, usize)> {
        self.objects.iter().find_map(|object| {
            let index = address.0.checked_sub(object.first.0)? as usize;
            (index < object.init.len()).then_some((object, index))
        })
    }

    /// `x`, or `flag[1]`.
    pub fn cell_name(&self, address: Address) -> String {
        match self.locate(address) {
            Some((object, index)) if object.array => format!("{}[{index}]", object.name),
            Some((object, _)) => object.name.clone(),
            None => format!("cell {}", address.0),
        }
    }

    pub fn initial_value(&self, address: Address) -> Value {
        self.locate(address).map_or(0, |(object, index)| object.init[index])
    }

    /// Every cell of every object, in order of address.
    pub fn cells(&self) -> impl Iterator<Item = Address> + '_ {
        self.objects.iter().flat_map(|o| (0..o.init.len() as u64).map(|i| Address(o.first.0 + i)))
    }
}
