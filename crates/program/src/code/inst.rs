//! The instructions of the register machine.

use crate::{Accept, ArithmeticOp, Failure, FuncId, ObjectId, Ordering, Reg, UnaryOp, UpdateOp, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    Reg(Reg),
    Const(Value),
}

/// A cell of a declared object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    pub object: ObjectId,
    /// `Const(0)` for an object that is not an array.
    pub index: Operand,
}

/// Bytes of the flat address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Memory {
    pub pointer: Operand,
    /// Added to the pointer.
    pub offset: i32,
    /// 1, 2, 4, 8 or 16. Values in memory are read and written as two's complement of that size; those of 16 bytes by
    /// their names, see [`crate::wide`].
    pub size: u8,
    /// The address is promised to be a multiple of this power of two.
    pub alignment: u16,
    /// What is read is only moved elsewhere, so that it need not have been written before.
    pub copied: bool,
}

impl Memory {
    /// Bytes at a multiple of their number.
    pub fn aligned(pointer: Operand, offset: i32, size: u8) -> Memory {
        Memory { pointer, offset, size, alignment: u16::from(size), copied: false }
    }
}

/// Where an access goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    Cell(Cell),
    Memory(Memory),
}

impl Place {
    pub fn as_cell(&self) -> Option<Cell> {
        match self {
            Place::Cell(cell) => Some(*cell),
            Place::Memory(_) => None,
        }
    }

    pub fn as_memory(&self) -> Option<Memory> {
        match self {
            Place::Memory(memory) => Some(*memory),
            Place::Cell(_) => None,
        }
    }

    /// The operand that decides which cell it is.
    pub fn operand(&self) -> Operand {
        match self {
            Place::Cell(cell) => cell.index,
            Place::Memory(memory) => memory.pointer,
        }
    }
}

impl From<Cell> for Place {
    fn from(cell: Cell) -> Place {
        Place::Cell(cell)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CasKind {
    Strong,
    /// May fail although it read the expected value.
    Weak,
}

/// What an allocation makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Allocation {
    /// An object in which nothing was written yet.
    Uninitialised,
    /// An object that holds 0.
    Zeroed,
    /// A local variable that is not of a constant size. It cannot be freed.
    Local,
}

/// How what is read must compare with a value, for a `wait` or a blocking RMW to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    Eq,
    Ne,
    Ge,
}

impl Comparison {
    /// As it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Eq => "==",
            Comparison::Ne => "!=",
            Comparison::Ge => ">=",
        }
    }

    /// The values that compare so with a value.
    pub fn accept(self, value: Value) -> Accept {
        match self {
            Comparison::Eq => Accept::Exactly(value),
            Comparison::Ne => Accept::AllBut(value),
            Comparison::Ge => Accept::AtLeast(value),
        }
    }
}

impl Inst {
    /// Blocks until it can write `desired` over `expected`.
    pub fn blocking_cas(place: Place, expected: Operand, desired: Operand, order: Ordering) -> Inst {
        let when = Some((Comparison::Eq, expected));
        Inst::Rmw { dst: None, place, op: UpdateOp::Exchange, operand: desired, order, when }
    }
}

/// Targets of jumps are indices into `Function::code`; falling off its end returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inst {
    Copy {
        dst: Reg,
        a: Operand,
    },
    /// Arithmetic on words of `bits` bits. A register holds them sign extended; those of one bit are 0 or 1.
    Arithmetic {
        dst: Reg,
        op: ArithmeticOp,
        bits: u8,
        a: Operand,
        b: Operand,
    },
    /// An operation on a word of `from` bits whose result has `to` bits.
    Unary {
        dst: Reg,
        op: UnaryOp,
        from: u8,
        to: u8,
        a: Operand,
    },
    Select {
        dst: Reg,
        cond: Operand,
        yes: Operand,
        no: Operand,
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
        /// Blocks until it can read a value that compares so. A blocking CAS (paper 003 §2.1) is an exchange when
        /// memory holds the expected value.
        when: Option<(Comparison, Operand)>,
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
    /// Blocks until it can read a value that compares so.
    Wait {
        /// Receives what was read.
        dst: Option<Reg>,
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
    /// Null, or an object of this size that some thread may have freed, see [`crate::Freed`].
    Reuse {
        dst: Reg,
        size: Operand,
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
    /// Goes to the target of the case that equals the value. The cases are in ascending order.
    Switch {
        value: Operand,
        cases: Box<[(Value, u32)]>,
        default: u32,
    },
    /// A pointer to this call's private memory, `offset` bytes from its start.
    PrivateAddress {
        dst: Reg,
        offset: u32,
    },
    /// A pointer to memory that this call shares with whom it tells the address, until it returns.
    StackAddress {
        dst: Reg,
        offset: u32,
    },
    /// A pointer to this thread's own copy of thread-local memory, or of what others may know of it.
    ThreadLocalAddress {
        dst: Reg,
        offset: u32,
        shared: bool,
    },
    /// The number of this thread.
    CurrentThread {
        dst: Reg,
    },
    /// A pointer to a new object of `size` bytes on the heap; 0 if there is no room.
    Alloc {
        dst: Reg,
        size: Operand,
        /// The address is a multiple of this power of two.
        alignment: Operand,
        allocation: Allocation,
        /// The start of an object of the same size that has ended: its memory is used again. `None`: memory that was
        /// never used.
        at: Option<Operand>,
    },
    /// Ends an object on the heap. Nothing for a null pointer.
    Free {
        pointer: Operand,
    },
    /// The size of the object on the heap that starts there.
    HeapSize {
        dst: Reg,
        pointer: Operand,
    },
    /// Calls the function that a pointer points to.
    CallPointer {
        dst: Option<Reg>,
        target: Operand,
        args: Vec<Operand>,
    },
    /// Returns several values: the first as a [`Inst::Return`] does, the others to the [`Inst::TakeResults`] that
    /// follows the call.
    ReturnMany {
        values: Vec<Operand>,
    },
    /// Takes the further values that a call returned.
    TakeResults {
        dsts: Vec<Reg>,
    },
    /// Starts a thread that calls the function with the argument, and receives its number.
    Spawn {
        dst: Option<Reg>,
        function: Operand,
        argument: Operand,
    },
    /// Ends the thread as if its first function had returned the value.
    ExitThread {
        value: Operand,
    },
    /// Ends the program. Steps of other threads count as taken before, and no thread learns that this one has ended.
    ExitProgram {
        status: Operand,
    },
    /// Prints, as `printf` does. Memory stays as it is; the text matters only when a thread is run again to show it.
    Print {
        format: Box<[u8]>,
        args: Vec<Operand>,
        /// Whether the text is wanted. If not, it is only known that it was printed.
        shown: bool,
    },
    Fail {
        failure: Failure,
    },
}
