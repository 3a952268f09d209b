//! Memory for clocks. All clocks can be walked, wherever they are held: that is how [`crate::live`] learns which events
//! some clock can still tell apart.

use core::ptr;
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::arena::Arena;
use crate::spin::{Held, Spin};

/// A clock in memory: a header, then `capacity` times.
#[repr(C)]
pub(crate) struct Block {
    /// Times from here on are 0. A free block has length 0.
    pub(crate) len: u32,
    pub(crate) capacity: u16,
    /// What the last collection has found out, if it is a view.
    pub(crate) mark: Mark,
    /// The block has two clocks of length `len`, each with half of the room ([`crate::view`]).
    is_view: bool,
    /// While the block is free, the next free one.
    next: *mut Block,
}

/// What a collection finds out about a view.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mark {
    /// No view has it.
    Unused,
    /// It is looked up by the time of another clock ([`crate::psc`]), and does not by itself keep anything alive.
    LookedUp,
    Kept,
}

impl Block {
    pub(crate) fn times(block: *mut Block) -> *mut u64 {
        // SAFETY: the times follow the header in the same allocation.
        unsafe { block.add(1).cast() }
    }

    /// How much room each clock of a pair has.
    pub(crate) fn half(block: *mut Block) -> usize {
        // SAFETY: the block of a clock.
        unsafe { (*block).capacity as usize / 2 }
    }

    pub(crate) fn second_half(block: *mut Block) -> *mut u64 {
        Block::times(block).wrapping_add(Block::half(block))
    }
}

/// Blocks have sizes of powers of two, from a cache line on. The largest has room for two clocks of all slots.
const SMALLEST: usize = 64;
const CLASSES: usize = 12;
const BLOCKS_IN_CHUNK: usize = 64;
/// How many views are made before that is said.
const VIEWS: usize = 64;

/// The first block of a chunk has this instead.
struct Chunk {
    next: *mut Chunk,
    /// How many of its blocks were ever handed out, with the first.
    used: usize,
}

struct Class {
    free: *mut Block,
    chunks: *mut Chunk,
    /// How many views were made since this was last said.
    views: usize,
}

pub(crate) struct Pool {
    arena: Arena,
    shards: [Shard; SHARDS],
    /// How many bytes of views were made since the last [`Pool::take_views`].
    views: AtomicUsize,
}

/// Threads allocate and free in different ones, so that they seldom wait for each other.
#[repr(align(64))]
struct Shard(Spin<[Class; CLASSES]>);

const SHARDS: usize = 8;

fn class_of(capacity: usize) -> usize {
    let bytes = size_of::<Block>() + capacity * size_of::<u64>();
    (bytes.next_power_of_two().max(SMALLEST) / SMALLEST).trailing_zeros() as usize
}

fn capacity_of(class: usize) -> usize {
    (stride(class) - size_of::<Block>()) / size_of::<u64>()
}

fn stride(class: usize) -> usize {
    SMALLEST << class
}

fn nth_block(chunk: *mut Chunk, number: usize, class: usize) -> *mut Block {
    chunk.cast::<u8>().wrapping_add(number * stride(class)).cast()
}

const _: () = assert!(size_of::<Block>() == 16 && size_of::<Chunk>() <= SMALLEST);

impl Pool {
    pub(crate) const fn new(arena: Arena) -> Pool {
        const EMPTY: Class = Class { free: ptr::null_mut(), chunks: ptr::null_mut(), views: 0 };
        Pool { arena, shards: [const { Shard(Spin::new([EMPTY; CLASSES])) }; SHARDS], views: AtomicUsize::new(0) }
    }

    /// The shard of the running thread. Stacks are megabytes apart.
    #[inline]
    fn classes(&self) -> Held<'_, [Class; CLASSES]> {
        let here = 0u8;
        let shard = (&raw const here as usize >> 23) % SHARDS;
        self.shards[shard].0.lock(self.arena.platform.yield_now)
    }

    pub(crate) fn arena(&self) -> &Arena {
        &self.arena
    }

    /// An empty clock with room for at least `capacity` slots.
    pub(crate) fn allocate(&self, capacity: usize) -> *mut Block {
        let class = class_of(capacity);
        self.block(class, &mut self.classes()[class])
    }

    /// An empty view with room for at least `capacity` slots. It is freed by [`Pool::sweep`].
    pub(crate) fn allocate_view(&self, capacity: usize) -> *mut Block {
        let class = class_of(2 * capacity);
        let of_class = &mut self.classes()[class];
        of_class.views += 1;
        if of_class.views == VIEWS {
            of_class.views = 0;
            self.views.fetch_add(VIEWS * stride(class), Ordering::Relaxed);
        }
        let block = self.block(class, of_class);
        // SAFETY: the block was just taken, so no view has it.
        unsafe { (*block).is_view = true };
        block
    }

    /// How many bytes of views were made since the last call, about.
    #[inline]
    pub(crate) fn take_views(&self) -> usize {
        if self.views.load(Ordering::Relaxed) == 0 { 0 } else { self.views.swap(0, Ordering::Relaxed) }
    }

    fn block(&self, class: usize, of_class: &mut Class) -> *mut Block {
        let block = of_class.free;
        if !block.is_null() {
            // SAFETY: a free block links to the next.
            of_class.free = unsafe { (*block).next };
            return block;
        }
        // SAFETY: of the BLOCKS_IN_CHUNK blocks of a chunk, `used` are handed out, with the first.
        unsafe {
            if of_class.chunks.is_null() || (*of_class.chunks).used == BLOCKS_IN_CHUNK {
                let chunk = self.arena.allocate(BLOCKS_IN_CHUNK * stride(class)).cast::<Chunk>();
                chunk.write(Chunk { next: of_class.chunks, used: 1 });
                of_class.chunks = chunk;
            }
            let chunk = of_class.chunks;
            let block = nth_block(chunk, (*chunk).used, class);
            block.write(Block {
                len: 0,
                capacity: capacity_of(class) as u16,
                mark: Mark::Unused,
                is_view: false,
                next: ptr::null_mut(),
            });
            (*chunk).used += 1;
            block
        }
    }

    pub(crate) fn free(&self, block: *mut Block) {
        // SAFETY: the block is ours again.
        unsafe { free(block, &mut self.classes()[class_of((*block).capacity as usize)]) };
    }

    /// How many bytes all clocks have.
    pub(crate) fn bytes(&self) -> usize {
        let mut bytes = 0;
        // SAFETY: a block of the pool.
        self.each_block(|_, block| unsafe {
            if (*block).len > 0 {
                bytes += stride(class_of((*block).capacity as usize));
            }
        });
        bytes
    }

    /// Calls `visit` with the times of every clock, or of all but the views that are not marked as kept. No clock
    /// may change meanwhile.
    pub(crate) fn each(&self, kept_only: bool, mut visit: impl FnMut(&[u64])) {
        // SAFETY: `len` times of a block are initialised, in both halves if it has two.
        self.each_block(|_, block| unsafe {
            if !kept_only || !(*block).is_view || (*block).mark == Mark::Kept {
                visit(core::slice::from_raw_parts(Block::times(block), (*block).len as usize));
                if (*block).is_view {
                    visit(core::slice::from_raw_parts(Block::second_half(block), (*block).len as usize));
                }
            }
        });
    }

    /// Frees the views that are not marked, and takes the marks of the others away.
    pub(crate) fn sweep(&self) {
        // SAFETY: a view that is not marked is not in use.
        self.each_block(|of_class, block| unsafe {
            if (*block).is_view && (*block).mark == Mark::Unused {
                if cfg!(debug_assertions) {
                    // If it is in use nevertheless, the user knows too much now, and tests fail.
                    ptr::write_bytes(Block::times(block), 0xff, (*block).capacity as usize);
                }
                free(block, of_class);
            }
            (*block).mark = Mark::Unused;
        });
    }

    fn each_block(&self, mut visit: impl FnMut(&mut Class, *mut Block)) {
        for shard in &self.shards {
            let mut classes = shard.0.lock(self.arena.platform.yield_now);
            for (class, of_class) in classes.iter_mut().enumerate() {
                let mut chunk = of_class.chunks;
                while !chunk.is_null() {
                    // SAFETY: of the blocks of a chunk, `used` are handed out, with the first.
                    unsafe {
                        (1..(*chunk).used).for_each(|i| visit(of_class, nth_block(chunk, i, class)));
                        chunk = (*chunk).next;
                    }
                }
            }
        }
    }
}

/// # Safety
/// The block is of this class, and not in use.
unsafe fn free(block: *mut Block, of_class: &mut Class) {
    // SAFETY: as the caller says.
    unsafe {
        (*block).len = 0;
        (*block).is_view = false;
        (*block).next = of_class.free;
    }
    of_class.free = block;
}
