//! Memory for everything but clocks: blocks of powers of two, reused by size.

use core::ptr;

use crate::platform::Platform;
use crate::spin::Spin;

const SMALLEST: u32 = 5;
const CLASSES: usize = 40;
const CHUNK: usize = 256 << 10;
const LINE: usize = 64;

pub(crate) struct Arena {
    pub(crate) platform: Platform,
    state: Spin<State>,
}

struct State {
    /// By class, a list of free blocks, each holding the address of the next.
    free: [*mut u8; CLASSES],
    next: *mut u8,
    left: usize,
    mapped: usize,
}

impl Arena {
    pub(crate) const fn new(platform: Platform) -> Arena {
        let state = State { free: [ptr::null_mut(); CLASSES], next: ptr::null_mut(), left: 0, mapped: 0 };
        Arena { platform, state: Spin::new(state) }
    }

    /// How many bytes the next larger block has.
    pub(crate) fn rounded(bytes: usize) -> usize {
        bytes.next_power_of_two().max(1 << SMALLEST)
    }

    fn class(bytes: usize) -> usize {
        (Arena::rounded(bytes).trailing_zeros() - SMALLEST) as usize
    }

    /// An uninitialised block of at least `bytes` bytes, aligned to 64 if it is that large, otherwise to 32.
    pub(crate) fn allocate(&self, bytes: usize) -> *mut u8 {
        let size = Arena::rounded(bytes);
        let mut state = self.state.lock(self.platform.yield_now);
        let free = state.free[Arena::class(bytes)];
        if !free.is_null() {
            // SAFETY: a free block holds the address of the next.
            state.free[Arena::class(bytes)] = unsafe { free.cast::<*mut u8>().read() };
            return free;
        }
        if size >= CHUNK {
            state.mapped += size;
            return (self.platform.map)(size);
        }
        if size + state.next.align_offset(size.min(LINE)) > state.left {
            // What a list that grew has left behind will do.
            let smallest = Arena::class(CHUNK);
            let large = state.free[smallest..].iter().position(|block| !block.is_null());
            let class = smallest + large.unwrap_or(0);
            state.left = 1 << (class as u32 + SMALLEST);
            state.next = state.free[class];
            if state.next.is_null() {
                state.next = (self.platform.map)(CHUNK);
                state.mapped += CHUNK;
            } else {
                // SAFETY: a free block holds the address of the next.
                state.free[class] = unsafe { state.next.cast::<*mut u8>().read() };
            }
        }
        let unaligned = state.next.align_offset(size.min(LINE));
        // SAFETY: as below.
        let block = unsafe { state.next.add(unaligned) };
        // SAFETY: `left` bytes are left from `next` on.
        state.next = unsafe { block.add(size) };
        state.left -= size + unaligned;
        block
    }

    /// Gives back what [`Arena::allocate`] gave for the same number of bytes.
    pub(crate) fn free(&self, block: *mut u8, bytes: usize) {
        let mut state = self.state.lock(self.platform.yield_now);
        let class = Arena::class(bytes);
        // SAFETY: the block is ours again, and holds at least a pointer.
        unsafe { block.cast::<*mut u8>().write(state.free[class]) };
        state.free[class] = block;
    }

    pub(crate) fn mapped(&self) -> usize {
        self.state.lock(self.platform.yield_now).mapped
    }
}

// SAFETY: the pointers are reached under the lock only.
unsafe impl Sync for Arena {}
// SAFETY: as above.
unsafe impl Send for Arena {}

/// A growing list in an arena. Copies of it share its memory.
#[derive(Clone, Copy)]
pub(crate) struct List<T: Copy> {
    items: *mut T,
    len: u32,
    capacity: u32,
}

impl<T: Copy> List<T> {
    pub(crate) const EMPTY: List<T> = List { items: ptr::null_mut(), len: 0, capacity: 0 };

    pub(crate) fn as_slice(&self) -> &[T] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: `len` items are initialised.
        unsafe { core::slice::from_raw_parts(self.items, self.len as usize) }
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: `len` items are initialised.
        unsafe { core::slice::from_raw_parts_mut(self.items, self.len as usize) }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.len == self.capacity
    }

    pub(crate) fn capacity(&self) -> usize {
        self.capacity as usize
    }

    pub(crate) fn push(&mut self, item: T, arena: &Arena) {
        if self.is_full() {
            self.reserve(arena, (self.capacity as usize * 2).max(1));
        }
        // SAFETY: there is room.
        unsafe { self.items.add(self.len as usize).write(item) };
        self.len += 1;
    }

    pub(crate) fn reserve(&mut self, arena: &Arena, capacity: usize) {
        if capacity <= self.capacity as usize {
            return;
        }
        self.resize(arena, capacity);
    }

    /// Gives memory back if much less would do.
    pub(crate) fn shrink(&mut self, arena: &Arena, capacity: usize) {
        let capacity = capacity.max(self.len as usize).max(1);
        if Self::bytes(capacity) < Self::bytes(self.capacity as usize) {
            self.resize(arena, capacity);
        }
    }

    /// The size of the block that has room for `capacity` items.
    fn bytes(capacity: usize) -> usize {
        Arena::rounded((capacity * size_of::<T>()).max(LINE))
    }

    fn resize(&mut self, arena: &Arena, capacity: usize) {
        let bytes = Self::bytes(capacity);
        let items = arena.allocate(bytes).cast::<T>();
        // SAFETY: the new block has room for `len` items.
        unsafe { ptr::copy_nonoverlapping(self.items, items, self.len as usize) };
        let len = self.len;
        self.free(arena);
        *self = List { items, len, capacity: (bytes / size_of::<T>()) as u32 };
    }

    pub(crate) fn pop(&mut self) -> Option<T> {
        let last = self.as_slice().last().copied()?;
        self.len -= 1;
        Some(last)
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len as u32);
    }

    pub(crate) fn free(&mut self, arena: &Arena) {
        if self.capacity > 0 {
            arena.free(self.items.cast(), Self::bytes(self.capacity as usize));
        }
        *self = List::EMPTY;
    }
}
