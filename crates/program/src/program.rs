//! The program model: one small register machine for all input languages.

use crate::memory::Region;
use crate::{Failure, Inst, Layouts, Part, Source, Span, memory};

/// A word. `.fp` computes in 64-bit two's complement, wrapping.
pub type Value = i64;

/// The identity of a memory cell. Cells of one declared object have consecutive addresses; a cell of the flat address
/// space is its pointer and its size, see [`crate::memory`].
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
    /// Names of values of 16 bytes, see [`crate::wide`].
    Wide,
}

impl Ty {
    /// Reduces a value modulo the size of the type, as paper 003 does in Ex. 2.2.
    pub fn wrap(self, value: Value) -> Value {
        match self {
            Ty::Int | Ty::Wide => value,
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

/// A register of a function. Assignments wrap into its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    pub kind: RegisterKind,
    pub ty: Ty,
}

/// What a register is for. Only the kind tells a variable from other registers: a variable may have any name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegisterKind {
    /// A variable, by the name that the source gives it.
    Variable(String),
    /// An intermediate result, which has no name.
    Temporary,
}

impl RegisterKind {
    /// What reports call the register; `None` for a temporary.
    pub fn name(&self) -> Option<&str> {
        match self {
            RegisterKind::Variable(name) => Some(name),
            RegisterKind::Temporary => None,
        }
    }
}

impl Register {
    /// A variable, or a temporary if its name is empty.
    pub fn variable(name: impl Into<String>, ty: Ty) -> Register {
        let name = name.into();
        let kind = if name.is_empty() { RegisterKind::Temporary } else { RegisterKind::Variable(name) };
        Register { kind, ty }
    }

    pub fn temporary(ty: Ty) -> Register {
        Register { kind: RegisterKind::Temporary, ty }
    }

    pub fn name(&self) -> Option<&str> {
        self.kind.name()
    }
}

#[derive(Clone, Debug, Default)]
pub struct Function {
    pub name: String,
    /// Registers `0..params` receive the arguments; the others start at 0.
    pub params: u32,
    pub registers: Vec<Register>,
    pub code: Vec<Inst>,
    /// One for each instruction.
    pub spans: Vec<Span>,
    /// Objects in the private memory of a call: where each starts and its length, in bytes.
    pub private: Vec<(u32, u32)>,
    /// It is an error to read private memory to which nothing was written, rather than 0.
    pub starts_unwritten: bool,
    /// Bytes of a call's memory that others may reach, and the objects in it: where each starts and its length.
    pub stack_bytes: u32,
    pub shared: Vec<(u32, u32)>,
    /// Part of a library: what it does is shown at the line that called it.
    pub library: bool,
    /// From a header of the system, and shown at the line that called it too; but what it does, the program does.
    pub header: bool,
    /// What a function of the library does with a lock or the like.
    pub service: Option<Service>,
    /// This function of the library waits for a limited time or reads the time: a thread that is here again and again
    /// is in no deadlock.
    pub may_time_out: bool,
    /// Where the source has its assertions, also those in code that was dropped because nothing leads to it.
    pub asserted: Vec<Span>,
    /// Where the source calls a function that fails: what some compilers make of assertions.
    pub guards: Vec<Span>,
    /// The registers whose values outlive a thread that ends in this function, for questions about final states.
    /// Empty unless someone asks: states that differ only in them are different states.
    pub observed: Vec<Reg>,
}

/// What threads ask of a lock, a barrier or a condition variable of the library, which must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// Waits until enough others do, and returns -1 to one of them and 0 to the others.
    Barrier,
    /// Takes a lock, or tries to.
    Lock,
    /// Gives up a lock that the thread holds.
    Unlock,
    /// Waits for a signal. A choice in it is whether the thread wakes up by itself.
    Condition,
    /// Chooses whether a time limit is over.
    TimeLimit,
    Other,
}

#[derive(Clone, Debug)]
pub struct Thread {
    pub name: String,
    pub func: FuncId,
    pub args: Vec<Value>,
}

impl Function {
    /// Remembers where assertions are, and calls that fail.
    pub fn note_assertions(&mut self) {
        for (inst, &span) in self.code.iter().zip(&self.spans) {
            match inst {
                Inst::Assert { .. } => self.asserted.push(span),
                Inst::Fail { failure: Failure::Assertion | Failure::Abort } => self.guards.push(span),
                _ => {}
            }
        }
    }

    /// Words of private memory.
    pub(crate) fn private_words(&self) -> usize {
        self.private.iter().map(|&(start, length)| (start + length).div_ceil(8) as usize).max().unwrap_or(0)
    }
}

/// Addresses of which the content is not known. An access to one is [`crate::Failure::Unsupported`].
#[derive(Clone, Copy, Debug)]
pub struct Undefined {
    pub start: u64,
    pub end: u64,
    /// An index into [`Program::constructs`].
    pub construct: u32,
}

/// A global variable in the flat address space.
#[derive(Clone, Debug, Default)]
pub struct Global {
    pub name: String,
    /// Where it starts.
    pub pointer: u64,
    /// What it holds at first.
    pub bytes: Vec<u8>,
    /// Writing to it is an error.
    pub constant: bool,
    /// By their offsets in ascending order.
    pub parts: Vec<Part>,
    pub span: Span,
}

/// A processor that programs are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processor {
    X86,
}

impl Processor {
    pub fn name(self) -> &'static str {
        match self {
            Processor::X86 => "x86",
        }
    }
}

/// A concurrent program: threads over shared objects.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub sources: Vec<Source>,
    pub objects: Vec<Object>,
    /// In ascending order of their pointers.
    pub globals: Vec<Global>,
    /// Functions and variables that are declared and not defined.
    pub undefined: Vec<Undefined>,
    /// What thread-local memory holds at first.
    pub thread_local: Vec<u8>,
    /// Thread-local variables whose address is known elsewhere. Each thread has its own at the start of its stack, from
    /// where their pointers count.
    pub shared_thread_locals: Vec<Global>,
    pub functions: Vec<Function>,
    /// The threads that run from the start. They may spawn others.
    pub threads: Vec<Thread>,
    /// What a spawned thread runs, with a pointer to the function and the argument.
    pub thread_entry: Option<FuncId>,
    /// What [`crate::Failure::Unsupported`] is about. The first is [`Program::NO_ROOM`], where memory can be allocated.
    pub constructs: Vec<String>,
    /// What is taken for granted about calls of the library and how the program is started, for people to read.
    pub assumptions: Vec<String>,
    /// Which executions were left out when the program was read: that all others are right is no answer.
    pub bounds: Vec<String>,
    pub layouts: Layouts,
    /// The processor in whose assembler it is written. Orderings are then a way to write its instructions, and the
    /// models of C11 mean nothing for it.
    pub processor: Option<Processor>,
}

impl Program {
    /// The construct that a thread comes to when its part of the address space is full.
    pub const NO_ROOM: u32 = 0;
    /// The name of the global variable that is the lock of atomic sections.
    pub const SECTION_LOCK: &str = "__VERIFIER_atomic";
    pub const NO_ROOM_TEXT: &str = "more than 4 GiB of memory for the objects that one thread makes";

    /// Whether memory is one address space, as in C, and threads are made along the way; else it is declared objects.
    pub fn has_flat_memory(&self) -> bool {
        self.thread_entry.is_some()
    }

    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// `queue.c:12`, if the span is a place in a source.
    pub fn place(&self, span: Span) -> Option<String> {
        let source = self.sources.get(span.file.0 as usize).filter(|_| span.line > 0)?;
        Some(format!("{}:{}", source.name, span.line))
    }

    /// The object that a cell belongs to, and the cell's index in it.
    pub fn locate(&self, address: Address) -> Option<(&Object, usize)> {
        self.objects.iter().find_map(|object| {
            let index = address.0.checked_sub(object.first.0)? as usize;
            (index < object.init.len()).then_some((object, index))
        })
    }

    /// The global variable that a pointer points into.
    pub fn global_at(&self, pointer: u64) -> Option<&Global> {
        let after = self.globals.partition_point(|global| global.pointer <= pointer);
        let global = &self.globals[after.checked_sub(1)?];
        (pointer < global.pointer + global.bytes.len() as u64).then_some(global)
    }

    /// The thread-local variable of some thread that a pointer points into, and how far, if others may know its
    /// address.
    pub fn thread_local_at(&self, pointer: u64) -> Option<(&Global, u64)> {
        let Region::Stack { .. } = memory::region(pointer) else { return None };
        let at = u64::from(memory::stack_offset(pointer));
        let inside = |global: &&Global| (global.pointer..global.pointer + global.bytes.len() as u64).contains(&at);
        self.shared_thread_locals.iter().find(inside).map(|global| (global, at - global.pointer))
    }

    /// Whether a thread has local or thread-local variables that others may know.
    pub fn has_shared_locals(&self) -> bool {
        !self.shared_thread_locals.is_empty() || self.functions.iter().any(|function| function.stack_bytes > 0)
    }

    /// Bytes of a thread's stack that its calls do not use.
    pub(crate) fn shared_thread_local_bytes(&self) -> u32 {
        let end = self.shared_thread_locals.iter().map(|global| global.pointer + global.bytes.len() as u64).max();
        end.map_or(0, |end| (end as u32 + 8).next_multiple_of(16))
    }

    /// The construct behind an address that belongs to something declared and not defined.
    pub fn undefined_at(&self, pointer: u64) -> Option<u32> {
        let found = self.undefined.iter().find(|undefined| (undefined.start..undefined.end).contains(&pointer));
        found.map(|undefined| undefined.construct)
    }

    pub fn initial_value(&self, address: Address) -> Value {
        if let Some((pointer, size)) = address.pointer_and_size() {
            let global = self.global_at(pointer).map(|global| (global, pointer - global.pointer));
            return global.or_else(|| self.thread_local_at(pointer)).map_or(0, |(global, offset)| {
                let start = offset as usize;
                memory::value_of(global.bytes.get(start..start + size as usize).unwrap_or(&[]))
            });
        }
        self.locate(address).map_or(0, |(object, index)| object.init[index])
    }

    /// Every cell of every object, in order of address.
    pub fn cells(&self) -> impl Iterator<Item = Address> + '_ {
        self.objects.iter().flat_map(|o| (0..o.init.len() as u64).map(|i| Address(o.first.0 + i)))
    }
}
