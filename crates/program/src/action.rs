//! What threads ask of memory, and what memory answers.

use crate::memory::{self, Region};
use crate::{Address, Allocation, CasKind, Comparison, FuncId, Names, Ordering, Update, Value};

/// The values that a reading step accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Accept {
    Any,
    Exactly(Value),
    AllBut(Value),
    AtLeast(Value),
}

impl Accept {
    pub fn accepts(self, value: Value) -> bool {
        match self {
            Accept::Any => true,
            Accept::Exactly(v) => v == value,
            Accept::AllBut(v) => v != value,
            Accept::AtLeast(v) => v <= value,
        }
    }

    /// The comparison that a value must pass, if there is one.
    pub fn condition(self) -> Option<(Comparison, Value)> {
        match self {
            Accept::Any => None,
            Accept::Exactly(v) => Some((Comparison::Eq, v)),
            Accept::AllBut(v) => Some((Comparison::Ne, v)),
            Accept::AtLeast(v) => Some((Comparison::Ge, v)),
        }
    }
}

/// What a thread wants to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Load {
        at: Address,
        order: Ordering,
    },
    Wait {
        at: Address,
        accept: Accept,
        order: Ordering,
    },
    Store {
        at: Address,
        value: Value,
        order: Ordering,
    },
    /// Blocks until it can read a value that it accepts.
    Rmw {
        at: Address,
        accept: Accept,
        update: Update,
        order: Ordering,
    },
    Cas {
        at: Address,
        expected: Value,
        desired: Value,
        success: Ordering,
        failure: Ordering,
        kind: CasKind,
    },
    Fence {
        order: Ordering,
    },
    /// A value from `lo` to `hi`, both included, that nothing else determines.
    Choose {
        lo: Value,
        hi: Value,
    },
    /// A new thread runs a function with an argument. It touches no memory: what the new thread may see is settled by
    /// the release store to its [`start cell`](crate::memory::start_cell) that follows, for which it waits.
    Spawn {
        func: FuncId,
        argument: Value,
        /// How many threads this one has made before.
        number: u32,
    },
    /// A new object on the heap. Where it is depends on the thread and on what it allocated before.
    Alloc {
        pointer: u64,
        size: u64,
        allocation: Allocation,
    },
    /// The end of an object on the heap, if it is one and has not ended.
    Free {
        pointer: u64,
    },
    /// How many bytes the object on the heap has, for `realloc`.
    HeapSize {
        pointer: u64,
    },
    /// Cut off by an assumption, or by a bound on loops.
    Blocked,
    /// Waits for ever for what no other thread can do: in a loop that does nothing, or for memory of its own to change.
    Hangs,
    /// Goes round a loop that does nothing and has no exit. The thread does not wait, but no other thread can wait for
    /// it either.
    Endless,
    Failed(Failure),
    End,
}

/// A step that a program must not reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    Assertion,
    OutOfBounds {
        index: Value,
        length: usize,
    },
    DivisionByZero,
    /// The smallest integer is divided by -1, and its negation is no integer of that size.
    DivisionOverflow,
    /// `abort` or something like it was called.
    Abort,
    /// An exception left the first function of a thread, or `std::terminate` was called for another reason.
    Uncaught,
    /// An access through a null pointer, or to an address where nothing is or was.
    InvalidAccess {
        pointer: u64,
    },
    /// An access to `size` bytes at no multiple of what the code promises, or of the size if it is atomic.
    MisalignedAccess {
        pointer: u64,
        size: u8,
        alignment: u16,
    },
    /// A write to a string literal or another constant.
    ConstantWrite {
        pointer: u64,
    },
    /// A read of a local variable to which nothing was assigned.
    Unassigned,
    /// A pointer that is not into the heap is given to `free` or `realloc`.
    InvalidFree {
        pointer: u64,
    },
    /// A call through a pointer that is not a function, or one with other parameters.
    InvalidCall {
        pointer: u64,
    },
    /// Code that the compiler was promised would not run.
    Unreachable,
    /// Something that the input language has and we do not: an index into [`Program::constructs`](crate::Program).
    Unsupported {
        construct: u32,
    },
    /// Wrong use of what the library provides.
    Misuse(Misuse),
    /// Too many steps without an access to memory: whether the loop ends is not known.
    EndlessLocalLoop,
}

/// What is wrong with the use of a lock, a barrier, a condition variable, a thread or a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Misuse {
    Destroyed,
    NotInitialised,
    InitialisedTwice,
    NotHeld,
    JoinedTwice,
    PrintsNull,
}

impl Failure {
    /// What a thread does when it fails so: "divides by zero".
    pub fn text(&self, names: &Names) -> String {
        match *self {
            Failure::Assertion => "fails an assertion".to_owned(),
            Failure::OutOfBounds { index, length } => format!("uses index {index} of an array of {length}"),
            Failure::DivisionByZero => "divides by zero".to_owned(),
            Failure::DivisionOverflow => "divides the smallest integer by -1, which overflows".to_owned(),
            Failure::Abort => "aborts".to_owned(),
            Failure::Uncaught => "throws an exception that nothing catches".to_owned(),
            Failure::InvalidAccess { pointer: 0..=0xfff } => "accesses memory through a null pointer".to_owned(),
            Failure::InvalidAccess { pointer } if matches!(memory::region(pointer), Region::Stack { .. }) => {
                "accesses its stack outside its live local variables".to_owned()
            }
            Failure::InvalidAccess { pointer } => {
                format!("accesses an address where no object is: {}", names.pointer_name(pointer))
            }
            Failure::MisalignedAccess { pointer, size, alignment } => {
                let name = names.pointer_name(pointer);
                format!("accesses {size} bytes at {name}, whose address is not a multiple of {alignment}")
            }
            Failure::ConstantWrite { pointer } => {
                format!("writes to constant memory: {}", names.pointer_name(pointer))
            }
            Failure::Unassigned => "reads an uninitialised local variable".to_owned(),
            Failure::InvalidFree { pointer } => {
                format!("frees memory that was not allocated: {}", names.pointer_name(pointer))
            }
            Failure::InvalidCall { pointer } => {
                format!("calls {pointer:#x}, which is not a function with these parameters")
            }
            Failure::Unreachable => "reaches code that the compiler assumes to be unreachable".to_owned(),
            Failure::Unsupported { construct } => {
                let construct =
                    names.program().constructs.get(construct as usize).map_or("a construct", String::as_str);
                format!("reaches {construct}, which is not supported")
            }
            Failure::Misuse(misuse) => match misuse {
                Misuse::Destroyed => "uses a lock or condition variable that was destroyed",
                Misuse::NotInitialised => "uses a barrier that was not initialised, or was destroyed",
                Misuse::InitialisedTwice => "initialises an object that is already initialised",
                Misuse::NotHeld => "unlocks a lock that it does not hold",
                Misuse::JoinedTwice => "joins or detaches a thread that was joined or detached already",
                Misuse::PrintsNull => "prints a null pointer as a string",
            }
            .to_owned(),
            Failure::EndlessLocalLoop => "stays too long in a loop without memory accesses".to_owned(),
        }
    }
}

/// The kinds of labels that touch a location (paper 001 Def. 2.2). A `Read` comes from a load; an `AwaitRead` is R*,
/// from a `wait` or a failed CAS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LabelKind {
    Read,
    AwaitRead,
    Write,
    Rmw,
}

/// A step on memory that a thread could take "by its program alone", whatever memory holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    pub kind: LabelKind,
    pub at: Address,
    pub order: Ordering,
    /// Which values it would read; `Any` for a write.
    pub accept: Accept,
}

impl Action {
    /// The cell that the action goes to.
    pub fn address(&self) -> Option<Address> {
        match *self {
            Action::Load { at, .. }
            | Action::Wait { at, .. }
            | Action::Store { at, .. }
            | Action::Rmw { at, .. }
            | Action::Cas { at, .. } => Some(at),
            _ => None,
        }
    }

    /// The labels that the program enables here; a CAS has one for success and one for failure.
    pub fn labels(&self) -> impl Iterator<Item = Label> + use<> {
        let label = |kind, at, order, accept| Label { kind, at, order, accept };
        let (a, b) = match *self {
            Action::Load { at, order } => (Some(label(LabelKind::Read, at, order, Accept::Any)), None),
            Action::Wait { at, accept, order } => (Some(label(LabelKind::AwaitRead, at, order, accept)), None),
            Action::Store { at, order, .. } => (Some(label(LabelKind::Write, at, order, Accept::Any)), None),
            Action::Rmw { at, accept, order, .. } => (Some(label(LabelKind::Rmw, at, order, accept)), None),
            Action::Cas { at, expected, success, failure, kind, .. } => {
                let fails = match kind {
                    CasKind::Strong => Accept::AllBut(expected),
                    CasKind::Weak => Accept::Any,
                };
                (
                    Some(label(LabelKind::Rmw, at, success, Accept::Exactly(expected))),
                    Some(label(LabelKind::AwaitRead, at, failure, fails)),
                )
            }
            Action::Fence { .. }
            | Action::Choose { .. }
            | Action::Spawn { .. }
            | Action::Alloc { .. }
            | Action::Free { .. }
            | Action::HeapSize { .. }
            | Action::Blocked
            | Action::Hangs
            | Action::Endless
            | Action::Failed(_)
            | Action::End => (None, None),
        };
        a.into_iter().chain(b)
    }

    /// The value that a write or an RMW stores after reading `old`.
    pub fn written(&self, old: Value) -> Option<Value> {
        match *self {
            Action::Store { value, .. } => Some(value),
            Action::Rmw { update, .. } => Some(update.apply(old)),
            Action::Cas { desired, .. } => Some(desired),
            _ => None,
        }
    }
}

/// What memory, or the engine, answers to an [`Action`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// A store, a fence, an allocation or a free was performed.
    Done,
    /// A load, a wait or a failed CAS read this; the size of an object.
    Read(Value),
    /// An RMW or a successful CAS read this and wrote.
    Updated(Value),
    /// The value of a `Choose`.
    Chose(Value),
    /// The number of the thread that a `Spawn` made.
    Spawned(u32),
}
