//! Memory for the clocks of one short trace after another: each thread of the test runs them in a buffer of its own.

use std::cell::Cell;

use fencepost_clocks::Platform;

const BUFFER: usize = 8 << 20;

thread_local! {
    static BUMP: Cell<(*mut u8, usize)> = const { Cell::new((std::ptr::null_mut(), 0)) };
}

fn pages(bytes: usize) -> *mut u8 {
    let layout = std::alloc::Layout::from_size_align(bytes, 4096).expect("a layout");
    // SAFETY: the size is not 0.
    unsafe { std::alloc::alloc_zeroed(layout) }
}

fn map_from_buffer(bytes: usize) -> *mut u8 {
    BUMP.with(|bump| {
        let (mut start, used) = bump.get();
        if start.is_null() {
            start = pages(BUFFER);
        }
        assert!(used + bytes <= BUFFER, "a short trace needs little memory");
        bump.set((start, used + bytes.next_multiple_of(4096)));
        // SAFETY: within the buffer.
        unsafe { start.add(used) }
    })
}

/// For clocks that live until the next call of [`recycle`] on the same thread.
pub const RECYCLED: Platform =
    Platform { map: map_from_buffer, yield_now: std::thread::yield_now, barrier: Some(barrier_for_one) };

/// Enough where all threads of the run are played by one. It lets plain accesses go all ways.
fn barrier_for_one() {}

/// For clocks that live as long as the process.
pub const LEAKED: Platform = Platform { map: pages, yield_now: std::thread::yield_now, barrier: None };

/// Makes the memory of [`RECYCLED`] clocks available again. There must be none left.
pub fn recycle() {
    BUMP.with(|bump| {
        let (start, used) = bump.get();
        if !start.is_null() {
            // SAFETY: that much was handed out.
            unsafe { std::ptr::write_bytes(start, 0, used) };
        }
        bump.set((start, 0));
    });
}
