//! What must be true of memory for an access to it, or a `free`, to be right.
//!
//! To allocate an object is like a plain write to its life, and so is to free it; to access it is like a plain read of
//! its life. So an access is right if its object is alive, and its allocation happens before it; what is freed too
//! early shows at the `free`, which does not happen after the access. (The definition is that of `explore`.)

use fencepost_program::memory::{Region, region};
use fencepost_program::{Action, Address, Allocation};

use crate::Options;
use crate::code::{Compiler, Slice, WordOp, extend, touch};
use crate::layout::{Field, Layout};
use crate::lts::{Life, LocalState, Lts, is_heap};
use crate::step::Step;

/// What is wrong with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// No object is there, or not any more.
    NoObject,
    /// Nothing orders it with the allocation; or a `free`, with an access.
    Unordered,
    /// It reads what nobody has written.
    Uninitialised,
    /// The function of the local variable has returned, or the thread of the thread-local one has ended.
    Gone,
}

/// An object that an access may be to. Its life has few values, each of them a bit here.
#[derive(Clone, Copy, Debug)]
struct GuardObject {
    life: Field,
    /// The values that let the step be taken; those of an object that holds 0 from the start.
    alive: u64,
    zeroed: u64,
    races: Slice,
    touch: Slice,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Guard {
    /// Whether there is anything to ask.
    asks: bool,
    heap: bool,
    objects: Slice,
    /// The location that must have been written.
    written: Option<Field>,
    owner: Option<Owner>,
}

/// The thread on whose stack the bytes are, another than the one that accesses them.
#[derive(Clone, Copy, Debug)]
struct Owner {
    thread: u32,
    local: Field,
    pointer: u64,
    size: u8,
}

/// What another thread finds of a thread's local variables while it is in a local state.
#[derive(Clone, Copy, Debug, Default)]
struct Locals {
    /// Where each starts and ends.
    ranges: Slice,
    /// The thread has ended the program, or will never return.
    stay: bool,
}

impl Owner {
    fn has_object(&self, guards: &Guards, state: &[u64]) -> bool {
        let locals = guards.locals[self.thread as usize][self.local.get(state) as usize];
        let end = self.pointer + u64::from(self.size);
        let inside = |&(from, to): &(u64, u64)| from <= self.pointer && end <= to;
        locals.stay || locals.ranges.of(&guards.ranges).iter().any(inside)
    }
}

impl Guard {
    /// What the monitors note of the step, if it is right.
    #[inline]
    pub(crate) fn pass(&self, guards: &Guards, state: &[u64]) -> Result<Slice, Fault> {
        if self.asks { self.ask(guards, state) } else { Ok(Slice::default()) }
    }

    fn ask(&self, guards: &Guards, state: &[u64]) -> Result<Slice, Fault> {
        let (mut zeroed, mut touch) = (false, Slice::default());
        if self.heap {
            let life = |object: &GuardObject| 1u64 << object.life.get(state);
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
            Some(location) if location.get(state) == 0 && !zeroed => Err(Fault::Uninitialised),
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
    locals: Vec<Vec<Locals>>,
}

impl Guards {
    pub(crate) fn new(threads: usize) -> Guards {
        Guards { locals: vec![Vec::new(); threads], ..Guards::default() }
    }

    /// Compiles the guard of a local state.
    pub(crate) fn guard(
        &mut self,
        compiler: &mut Compiler,
        lts: &Lts,
        layout: &Layout,
        options: &Options,
        thread: usize,
        local: &LocalState,
    ) -> Guard {
        if !options.properties.assertions {
            return Guard::default();
        }
        if let Step::Heap(Action::Free { .. }) = local.step {
            let object = self.guard_object(compiler, lts, layout, thread, local.location, |life| {
                life.allocation != Allocation::Local
            });
            // The write of the life is the step itself.
            let object = GuardObject {
                touch: Slice::default(),
                races: self.races(layout, thread, local.location, true),
                ..object
            };
            let objects = extend(&mut self.objects, [object]);
            return Guard { asks: true, heap: true, objects, ..Guard::default() };
        }
        let Some(at) = local.step.address() else { return Guard::default() };
        let written = local.uses_value && lts.locations[local.location as usize].unwritten;
        let written = written.then(|| layout.memory[local.location as usize]);
        let Some((pointer, size)) = at.pointer_and_size().filter(|&(pointer, _)| is_heap(pointer)) else {
            let owner = owner(layout, thread, at);
            let asks = written.is_some() || owner.is_some();
            return Guard { asks, written, owner, ..Guard::default() };
        };
        let around: Vec<(u64, u32)> = lts.heap.around(at).collect();
        let mut objects = Vec::new();
        for (start, life) in around {
            let covers = |life: Life| pointer + u64::from(size) <= start + life.size;
            objects.push(self.guard_object(compiler, lts, layout, thread, life, covers));
        }
        Guard { asks: true, heap: true, objects: extend(&mut self.objects, objects), written, owner: None }
    }

    /// Adds the next local state of a thread: which of its local variables others may know.
    pub(crate) fn add_locals(&mut self, lts: &Lts, thread: usize, local: &LocalState) {
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
        lts: &Lts,
        layout: &Layout,
        thread: usize,
        life: u32,
        right: impl Fn(Life) -> bool,
    ) -> GuardObject {
        let values = lts.locations[life as usize].values.iter().take(u64::BITS as usize).enumerate();
        let (mut alive, mut zeroed) = (0, 0);
        for (number, &value) in values {
            if let Some(life) = Life::of_value(value).filter(|&life| !life.freed && right(life)) {
                alive |= 1 << number;
                zeroed |= u64::from(life.allocation == Allocation::Zeroed) << number;
            }
        }
        let races = self.races(layout, thread, life, false);
        let touch = extend(&mut compiler.ops, touch_life(layout, thread, life, false));
        GuardObject { life: layout.memory[life as usize], alive, zeroed, races, touch }
    }

    /// What a step that reads or writes a life races with.
    fn races(&mut self, layout: &Layout, thread: usize, life: u32, writes: bool) -> Slice {
        let Some(cells) = &layout.tracking.races[life as usize] else { return Slice::default() };
        let (conflicts, _) = cells.of_access(thread, writes, false);
        let bits = conflicts.into_iter().map(|cell| layout.tracking.race_bit(cell));
        extend(&mut self.masks, layout.masks(layout.tracking.plan.hb_view(thread), bits))
    }
}

/// Whose local variable an access goes to, if it is not the thread's own: that one shows when it is located.
fn owner(layout: &Layout, thread: usize, at: Address) -> Option<Owner> {
    let (pointer, size) = at.pointer_and_size()?;
    let Region::Stack { thread: owner } = region(pointer) else { return None };
    let local = *layout.local.get(owner as usize)?;
    (owner as usize != thread).then_some(Owner { thread: owner, local, pointer, size })
}

/// Whether an access goes to another thread's local variable.
pub(crate) fn is_of_another(thread: usize, at: Address) -> bool {
    let pointer = at.pointer_and_size().map(|(pointer, _)| region(pointer));
    matches!(pointer, Some(Region::Stack { thread: owner }) if owner as usize != thread)
}

/// A step reads or writes a life.
pub(crate) fn touch_life(layout: &Layout, thread: usize, life: u32, writes: bool) -> Vec<WordOp> {
    let cells = layout.tracking.races[life as usize].as_ref();
    let touched = cells.and_then(|cells| cells.of_access(thread, writes, false).1);
    touched.map_or(Vec::new(), |cell| touch(layout, thread, cell))
}
