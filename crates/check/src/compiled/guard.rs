//! What must be true of memory for an access to it, or a `free`, to be correct.
//!
//! Allocating and freeing an object are like plain writes to its life; accessing it is like a plain read of its life.
//! So an access is correct if its object is alive, and its allocation happens before it; an object that is freed too
//! early shows at the `free`, which does not happen after the access. (The definition is that of `explore`.)

use fencepost_program::memory::{Region, region};
use fencepost_program::{Action, Address, Allocation};

use super::Source;
use super::code::{Compiler, Masks, Slice, WordOp, extend, touch};
use crate::index::{Index, IndexVec, LocalId, LocationId, ValueId};
use crate::layout::{Field, Layout};
use crate::lts::{Life, LocalState, Lts, Step, is_heap};

/// What is wrong with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The bytes belong to no object, or to one that was freed.
    NoObject,
    /// Nothing orders the access with the allocation, or the `free` with an access.
    Unordered,
    /// A read of bytes that were never written.
    Uninitialised,
    /// The function of the local variable has returned, or the thread of the thread-local one has ended.
    Gone,
}

/// An object that an access may go to. Its life has few values, each of them a bit here.
#[derive(Clone, Copy, Debug)]
struct GuardObject {
    life: Field<ValueId>,
    /// The values with which the step is correct, and those of an object that holds 0 from the start.
    alive: u64,
    zeroed: u64,
    races: Masks,
    touch: Slice<WordOp>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Guard {
    /// Whether there is anything to check.
    asks: bool,
    heap: bool,
    objects: Slice<GuardObject>,
    /// The location that must have been written.
    written: Option<Field<ValueId>>,
    owner: Option<Owner>,
}

/// The thread on whose stack the bytes are, if another thread accesses them.
#[derive(Clone, Copy, Debug)]
struct Owner {
    thread: u32,
    local: Field<LocalId>,
    pointer: u64,
    size: u8,
}

/// The local variables of a thread that others may access while it is in a local state.
#[derive(Clone, Copy, Debug, Default)]
struct Locals {
    /// Where each starts and ends.
    ranges: Slice<(u64, u64)>,
    /// The thread has ended the program, or will never return.
    stay: bool,
}

impl Owner {
    fn has_object(&self, guards: &Guards, state: &[u64]) -> bool {
        let locals = guards.locals[self.thread as usize][self.local.get(state)];
        let end = self.pointer + u64::from(self.size);
        let inside = |&(from, to): &(u64, u64)| from <= self.pointer && end <= to;
        locals.stay || locals.ranges.of(&guards.ranges).iter().any(inside)
    }
}

impl Guard {
    /// The operations of the monitors for the step, if it is correct.
    #[inline]
    pub(crate) fn pass(&self, guards: &Guards, state: &[u64]) -> Result<Slice<WordOp>, Fault> {
        if self.asks { self.ask(guards, state) } else { Ok(Slice::default()) }
    }

    fn ask(&self, guards: &Guards, state: &[u64]) -> Result<Slice<WordOp>, Fault> {
        let (mut zeroed, mut touch) = (false, Slice::default());
        if self.heap {
            let life = |object: &GuardObject| 1u64 << object.life.get(state).to_u32();
            let object = self.objects.of(&guards.objects).iter().find(|o| o.alive & life(o) != 0);
            let object = object.ok_or(Fault::NoObject)?;
            let races = object.races.of(&guards.masks);
            if races.iter().any(|&(word, mask)| state[word as usize] & mask != 0) {
                return Err(Fault::Unordered);
            }
            zeroed = object.zeroed & life(object) != 0;
            touch = object.touch;
        }
        if self.owner.is_some_and(|owner| !owner.has_object(guards, state)) {
            return Err(Fault::Gone);
        }
        match self.written {
            Some(location) if location.get(state) == ValueId::FIRST && !zeroed => Err(Fault::Uninitialised),
            _ => Ok(touch),
        }
    }
}

/// What the guards of all local states share.
#[derive(Default)]
pub(crate) struct Guards {
    objects: Vec<GuardObject>,
    masks: Vec<(u16, u64)>,
    ranges: Vec<(u64, u64)>,
    /// By thread and local state.
    locals: Vec<IndexVec<LocalId, Locals>>,
}

impl Guards {
    pub(crate) fn new(threads: usize) -> Guards {
        Guards { locals: vec![IndexVec::default(); threads], ..Guards::default() }
    }

    /// Compiles the guard of a local state.
    pub(super) fn guard(
        &mut self,
        compiler: &mut Compiler,
        source: Source,
        thread: usize,
        local: &LocalState,
    ) -> Guard {
        let Some(location) = local.location.filter(|_| source.options.properties.assertions) else {
            return Guard::default();
        };
        if let Step::Heap(Action::Free { .. }) = local.step {
            return self.guard_of_free(compiler, source, thread, location);
        }
        let Some(at) = local.step.address() else { return Guard::default() };
        let bytes = at.pointer_and_size().and_then(|_| source.lts.piece(local)).map(|piece| (piece.start, piece.size));
        let written = local.uses_value && source.lts.locations[location].unwritten;
        let written = written.then(|| source.layout.memory[location]);
        let Some((pointer, size)) = bytes.filter(|&(pointer, _)| is_heap(pointer)) else {
            let owner = bytes.and_then(|bytes| owner(source.layout, thread, bytes));
            let asks = written.is_some() || owner.is_some();
            return Guard { asks, written, owner, ..Guard::default() };
        };
        let mut objects = Vec::new();
        for (start, life) in source.lts.heap.around(pointer, size) {
            let covers = |life: Life| pointer + u64::from(size) <= start + life.size;
            objects.push(self.guard_object(compiler, source, thread, life, covers));
        }
        Guard { asks: true, heap: true, objects: extend(&mut self.objects, objects), written, owner: None }
    }

    fn guard_of_free(&mut self, compiler: &mut Compiler, source: Source, thread: usize, life: LocationId) -> Guard {
        let can_be_freed = |life: Life| life.allocation != Allocation::Local;
        let object = self.guard_object(compiler, source, thread, life, can_be_freed);
        // The step itself writes the life.
        let races = self.races(source.layout, thread, life, true);
        let object = GuardObject { touch: Slice::default(), races, ..object };
        Guard { asks: true, heap: true, objects: extend(&mut self.objects, [object]), ..Guard::default() }
    }

    /// Adds the next local state of a thread: which of its local variables others may know.
    pub(super) fn add_locals(&mut self, lts: &Lts, thread: usize, local: &LocalState) {
        let ranges = lts.shared_locals(local).into_iter().map(|range| (range.start, range.end));
        // When `main` returns, or the program is ended, there are no others; and a thread that is cut off does not
        // return.
        let stay = match local.step {
            Step::End => thread == 0 || local.state.has_exited(),
            Step::Blocked => true,
            _ => false,
        };
        let locals = Locals { ranges: extend(&mut self.ranges, ranges), stay };
        self.locals[thread].push(locals);
    }

    fn guard_object(
        &mut self,
        compiler: &mut Compiler,
        Source { lts, layout, .. }: Source,
        thread: usize,
        life: LocationId,
        right: impl Fn(Life) -> bool,
    ) -> GuardObject {
        let values = lts.locations[life].values.iter().take(u64::BITS as usize).enumerate();
        let (mut alive, mut zeroed) = (0, 0);
        for (number, &value) in values {
            if let Some(life) = Life::of_value(value).filter(|&life| !life.freed && right(life)) {
                alive |= 1 << number;
                zeroed |= u64::from(life.allocation == Allocation::Zeroed) << number;
            }
        }
        let races = self.races(layout, thread, life, false);
        let touch = extend(&mut compiler.ops, touch_life(layout, thread, life, false));
        GuardObject { life: layout.memory[life], alive, zeroed, races, touch }
    }

    /// The accesses that a step races with when it reads or writes a life.
    fn races(&mut self, layout: &Layout, thread: usize, life: LocationId, writes: bool) -> Masks {
        let Some(cells) = &layout.tracking.races[life] else { return Slice::default() };
        let (conflicts, _) = cells.of_access(thread, writes, false);
        let bits = conflicts.into_iter().map(|cell| layout.tracking.race_bit(cell));
        extend(&mut self.masks, layout.masks(layout.tracking.plan.hb_view(thread), bits))
    }
}

/// The thread whose local variable is accessed, if it is another one.
fn owner(layout: &Layout, thread: usize, (pointer, size): (u64, u8)) -> Option<Owner> {
    let Region::Stack { thread: owner } = region(pointer) else { return None };
    let local = *layout.local.get(owner as usize)?;
    (owner as usize != thread).then_some(Owner { thread: owner, local, pointer, size })
}

/// Whether an access goes to another thread's local variable.
pub(crate) fn is_of_another(thread: usize, at: Address) -> bool {
    let pointer = at.pointer_and_size().map(|(pointer, _)| region(pointer));
    matches!(pointer, Some(Region::Stack { thread: owner }) if owner as usize != thread)
}

/// The operations of a step that reads or writes a life.
pub(crate) fn touch_life(layout: &Layout, thread: usize, life: LocationId, writes: bool) -> Vec<WordOp> {
    let cells = layout.tracking.races[life].as_ref();
    let touched = cells.and_then(|cells| cells.of_access(thread, writes, false).1);
    touched.map_or(Vec::new(), |cell| touch(layout, thread, cell))
}
