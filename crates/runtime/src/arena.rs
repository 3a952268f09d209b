//! The runtime's own memory: size classes carved from mappings, never the program's allocator (which is interposed, may
//! be the program's own, and may be what is being checked).

use core::alloc::{GlobalAlloc, Layout};
use core::ptr::null_mut;

use crate::spin::SpinLock;
use crate::sys;

/// Powers of two from 16 bytes to 64 KiB; larger blocks are mappings of their own.
const CLASSES: usize = 13;
const SMALLEST: u32 = 4;
const CHUNK: usize = 1 << 20;

struct Free {
    lists: [*mut u8; CLASSES],
    next: *mut u8,
    left: usize,
}

// SAFETY: the pointers are to memory that belongs to no thread.
unsafe impl Send for Free {}

pub(crate) struct Arena {
    free: SpinLock<Free>,
}

impl Arena {
    pub(crate) const fn new() -> Arena {
        Arena { free: SpinLock::new(Free { lists: [null_mut(); CLASSES], next: null_mut(), left: 0 }) }
    }
}

#[cfg(feature = "standalone")]
pub(crate) fn before_fork() {
    crate::standalone::ARENA.free.hold();
}

#[cfg(feature = "standalone")]
pub(crate) fn after_fork() {
    crate::standalone::ARENA.free.reset();
}

/// In tests, memory is the system's.
#[cfg(not(feature = "standalone"))]
pub(crate) fn before_fork() {}

#[cfg(not(feature = "standalone"))]
pub(crate) fn after_fork() {}

impl Default for Arena {
    fn default() -> Arena {
        Arena::new()
    }
}

fn class(layout: &Layout) -> Option<usize> {
    let size = layout.size().max(layout.align()).max(1 << SMALLEST).next_power_of_two();
    let class = (size.trailing_zeros() - SMALLEST) as usize;
    (class < CLASSES).then_some(class)
}

// SAFETY: blocks of a class are as aligned as they are large, and are handed out once.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(class) = class(&layout) else {
            return sys::map(layout.size()).unwrap_or(null_mut());
        };
        let size = 1usize << (class as u32 + SMALLEST);
        let mut free = self.free.lock();
        let first = free.lists[class];
        if !first.is_null() {
            // SAFETY: a free block begins with the address of the next one.
            free.lists[class] = unsafe { *first.cast::<*mut u8>() };
            return first;
        }
        let padding = free.next.align_offset(size);
        if free.next.is_null() || padding + size > free.left {
            let Some(chunk) = sys::map(CHUNK) else { return null_mut() };
            free.next = chunk;
            free.left = CHUNK;
        }
        let padding = free.next.align_offset(size);
        if padding + size > free.left {
            return null_mut();
        }
        // SAFETY: within the chunk.
        let block = unsafe { free.next.add(padding) };
        // SAFETY: at most the end of the chunk.
        free.next = unsafe { block.add(size) };
        free.left -= padding + size;
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let Some(class) = class(&layout) else {
            // SAFETY: a mapping of its own, and no longer used.
            unsafe { sys::unmap(block as usize, layout.size()) };
            return;
        };
        let mut free = self.free.lock();
        // SAFETY: the block is ours again, and at least 16 bytes long.
        unsafe { *block.cast::<*mut u8>() = free.lists[class] };
        free.lists[class] = block;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_apart_and_used_again() {
        let arena = Arena::new();
        let mut blocks = Vec::new();
        for size in [1usize, 16, 17, 100, 4096, 65536, 65537, 1 << 20] {
            for align in [1usize, 8, 64, 4096] {
                let layout = Layout::from_size_align(size, align).unwrap();
                // SAFETY: the layout is not empty; the block is written within its size.
                unsafe {
                    let block = arena.alloc(layout);
                    assert!(!block.is_null());
                    assert_eq!(block as usize % align, 0, "{size} bytes aligned to {align}");
                    block.write_bytes(blocks.len() as u8, size);
                    blocks.push((block, layout));
                }
            }
        }
        for (i, &(block, layout)) in blocks.iter().enumerate() {
            // SAFETY: written above.
            let bytes = unsafe { core::slice::from_raw_parts(block, layout.size()) };
            assert!(bytes.iter().all(|&byte| byte == i as u8), "block {i} was overwritten");
        }
        let (first, layout) = blocks[0];
        // SAFETY: freed once, and not used after.
        unsafe {
            arena.dealloc(first, layout);
            assert_eq!(arena.alloc(layout), first);
        }
    }
}
