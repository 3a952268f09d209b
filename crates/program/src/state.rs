//! Where a thread is.
//!
//! Explorations keep a state for every event, so a state is small, and one allocation at most: the stack of words that
//! holds, for each call, its registers, its private memory, and between two calls how to go back.

use std::ops::{Deref, DerefMut};

use smallvec::SmallVec;

use crate::marks::Marks;
use crate::memory::Region;
use crate::unwritten::Unwritten;
use crate::{Address, Failure, Value, memory};

/// The state of a thread: always before an action that is not a local step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ThreadState {
    /// First the thread-local memory; then, call by call, registers and private memory.
    pub(crate) stack: Stack,
    /// The reads that values depend on. Empty while no read was marked.
    pub(crate) marks: Marks,
    /// Private memory to which nothing was written.
    pub(crate) unwritten: Unwritten,
    /// With a bound on loops: those that the thread is in, outermost first.
    pub(crate) loops: Vec<Loop>,
    /// The marks of all reads that something depended on ([`Inst::for_each_dependency`](crate::Inst)).
    pub(crate) used: u64,
    /// The function and the place in it, or [`NOWHERE`].
    pub(crate) func: u32,
    pub(crate) pc: u32,
    /// Where the registers of the call start.
    pub(crate) base: u32,
    /// Calls that wait for this one.
    pub(crate) depth: u32,
    pub(crate) thread: u32,
    /// Threads that it has made.
    pub(crate) spawned: u32,
    /// Units of the heap that it has used.
    pub(crate) allocated: u32,
    /// Bytes of shared stack memory that calls below this one have.
    pub(crate) stack_bytes: u32,
    /// The locks of the library that the thread holds, each as often as it has taken it.
    pub(crate) held: SmallVec<[Address; 2]>,
    pub(crate) stuck: Option<Stuck>,
}

/// Words of which few need no allocation.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Stack(SmallVec<[Value; 12]>);

impl Clone for Stack {
    /// Explorations copy a state for every event, and the derived way goes word by word.
    fn clone(&self) -> Stack {
        Stack(SmallVec::from_slice(&self.0))
    }
}

impl Deref for Stack {
    type Target = SmallVec<[Value; 12]>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Stack {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl FromIterator<Value> for Stack {
    fn from_iter<I: IntoIterator<Item = Value>>(words: I) -> Stack {
        Stack(words.into_iter().collect())
    }
}

/// The function of a thread that has ended.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// A loop of the call at some depth: its head, and how often it was gone back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Loop {
    pub depth: u32,
    pub head: u32,
    pub count: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stuck {
    /// By the assumption at this place of a function.
    Blocked {
        func: u32,
        pc: u32,
    },
    /// See [`crate::Action::Hangs`].
    Hangs,
    /// See [`crate::Action::Endless`].
    Endless,
    /// A loop went on beyond the bound.
    OutOfBound,
    /// It ended the program.
    Exited,
    Failed(Failure),
}

/// How to go back to a caller: two words below the registers of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub func: u32,
    pub pc: u32,
    pub base: u32,
    /// The caller's register that receives the result, or [`NOWHERE`].
    pub dst: u32,
}

/// Words that a [`Link`] takes.
pub(crate) const LINK_WORDS: u32 = 2;

impl ThreadState {
    /// The state of a thread that has ended.
    pub(crate) fn ended(thread: u32) -> ThreadState {
        ThreadState {
            stack: Stack::default(),
            marks: Marks::default(),
            unwritten: Unwritten::default(),
            loops: Vec::new(),
            used: 0,
            func: NOWHERE,
            pc: 0,
            base: 0,
            depth: 0,
            thread,
            spawned: 0,
            allocated: 0,
            stack_bytes: 0,
            held: SmallVec::new(),
            stuck: None,
        }
    }

    /// The state of a thread that has not been made yet.
    pub fn unborn(thread: u32) -> ThreadState {
        ThreadState::ended(thread)
    }

    /// The marks of the reads that some step has depended on so far.
    pub fn used_marks(&self) -> u64 {
        self.used
    }

    /// Whether the thread is where it was, with the same values: what it did in between left no trace in it.
    pub fn is_back_at(&self, earlier: &ThreadState) -> bool {
        let place = |s: &ThreadState| (s.func, s.pc, s.base, s.spawned, s.allocated, s.stuck);
        place(self) == place(earlier) && self.stack == earlier.stack && self.held == earlier.held
    }

    /// Cut off because a loop went on beyond the bound of [`crate::Machine::unrolling`].
    pub fn is_out_of_bound(&self) -> bool {
        self.stuck == Some(Stuck::OutOfBound)
    }

    /// Whether another state of the thread is in other calls.
    pub fn has_other_calls(&self, other: &ThreadState) -> bool {
        (self.func, self.depth, self.stack_bytes) != (other.func, other.depth, other.stack_bytes)
    }

    /// Whether the thread has ended the whole program.
    pub fn has_exited(&self) -> bool {
        self.stuck == Some(Stuck::Exited)
    }

    pub fn has_ended(&self) -> bool {
        self.func == NOWHERE
    }

    /// Of a thread that has ended, the values of its function's [`Function::observed`](crate::Function::observed).
    pub fn observed(&self) -> &[Value] {
        if self.has_ended() { &self.stack } else { &[] }
    }

    /// The number of the thread.
    pub fn thread(&self) -> u32 {
        self.thread
    }

    pub(crate) fn push_link(&mut self, link: Link) {
        let pair = |low: u32, high: u32| (u64::from(low) | u64::from(high) << 32) as Value;
        self.stack.extend([pair(link.func, link.pc), pair(link.base, link.dst)]);
    }

    /// The link below the registers that start at `base`, if that is not the first call.
    pub(crate) fn link(&self, base: u32) -> Link {
        let at = (base - LINK_WORDS) as usize;
        let (first, second) = (self.stack[at] as u64, self.stack[at + 1] as u64);
        Link { func: first as u32, pc: (first >> 32) as u32, base: second as u32, dst: (second >> 32) as u32 }
    }

    /// Grows or shrinks the stack.
    pub(crate) fn resize(&mut self, words: usize) {
        self.stack.resize(words, 0);
        self.marks.truncate(words);
        self.unwritten.truncate(words);
    }

    /// The offset of a pointer into this thread's private memory; an error if it is another thread's.
    pub(crate) fn private_offset(&self, pointer: u64) -> Option<Result<u32, Failure>> {
        match memory::region(pointer) {
            Region::Private { thread, offset } if thread == self.thread => Some(Ok(offset)),
            Region::Private { .. } => Some(Err(Failure::InvalidAccess { pointer })),
            _ => None,
        }
    }
}
