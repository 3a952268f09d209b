//! What is freed or unmapped is forgotten: the next owner of the memory starts afresh.

use core::ffi::{c_int, c_void};

use crate::{export, runtime, sys, thread, tls};

export! {
    ["malloc"] => malloc;
    ["calloc"] => calloc;
    ["realloc"] => realloc;
    ["free"] => free;
    ["memalign"] => memalign;
    ["aligned_alloc"] => memalign;
    ["posix_memalign"] => posix_memalign;
    ["munmap"] => munmap;
    ["mmap"] => mmap;
    ["mmap64"] => mmap;
}

// The C library's functions behind its malloc. They need no look-up, which would itself allocate.
unsafe extern "C" {
    fn __libc_malloc(size: usize) -> *mut c_void;
    fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
    fn __libc_realloc(block: *mut c_void, size: usize) -> *mut c_void;
    fn __libc_free(block: *mut c_void);
    fn __libc_memalign(alignment: usize, size: usize) -> *mut c_void;
    fn malloc_usable_size(block: *mut c_void) -> usize;
}

unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    // SAFETY: any size will do.
    unsafe { __libc_malloc(size) }
}

unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    // SAFETY: any size will do.
    unsafe { __libc_calloc(count, size) }
}

unsafe extern "C" fn memalign(alignment: usize, size: usize) -> *mut c_void {
    // SAFETY: the program's arguments, as it passed them.
    unsafe { __libc_memalign(alignment, size) }
}

unsafe extern "C" fn posix_memalign(result: *mut *mut c_void, alignment: usize, size: usize) -> c_int {
    if !alignment.is_power_of_two() || !alignment.is_multiple_of(size_of::<*mut c_void>()) {
        return libc::EINVAL;
    }
    // SAFETY: the program's room for the result; errno stays as it was, as POSIX wants it.
    unsafe {
        let before = *libc::__errno_location();
        let block = __libc_memalign(alignment, size);
        *libc::__errno_location() = before;
        if block.is_null() {
            return libc::ENOMEM;
        }
        *result = block;
    }
    0
}

/// Freeing counts as a write to the whole block, so a use that is not ordered before it is a race.
fn gives_back(block: *mut c_void) {
    if block.is_null() || !runtime::is_ready() {
        return;
    }
    if let Some(thread) = thread::enter() {
        // SAFETY: a block that the program holds.
        let size = unsafe { malloc_usable_size(block) };
        thread.detector.freed(thread, block as usize, size, tls::caller());
    }
}

unsafe extern "C" fn free(block: *mut c_void) {
    gives_back(block);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { __libc_free(block) }
}

unsafe extern "C" fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
    // A block that grows in place keeps its history; one that moves is given back before another thread can get it.
    // SAFETY: a block that the program holds.
    let old = if block.is_null() || !runtime::is_ready() { 0 } else { unsafe { malloc_usable_size(block) } };
    if old == 0 || size == 0 {
        gives_back(block);
        // SAFETY: the program's arguments, as it passed them.
        return unsafe { __libc_realloc(block, size) };
    }
    // SAFETY: the program's block, which is copied before it is freed.
    unsafe {
        if size <= old && size >= old / 2 {
            return block;
        }
        let new = __libc_malloc(size);
        if !new.is_null() {
            core::ptr::copy_nonoverlapping(block.cast::<u8>(), new.cast::<u8>(), old.min(size));
            gives_back(block);
            __libc_free(block);
        }
        new
    }
}

unsafe extern "C" fn munmap(address: *mut c_void, size: usize) -> c_int {
    if let Some(thread) = thread::enter() {
        thread.detector.forget(address as usize, size);
    }
    // SAFETY: the program's mapping.
    result(unsafe { sys::unmap(address as usize, size) }) as c_int
}

unsafe extern "C" fn mmap(
    address: *mut c_void,
    size: usize,
    protection: c_int,
    flags: c_int,
    file: c_int,
    offset: i64,
) -> *mut c_void {
    if flags & libc::MAP_FIXED != 0
        && let Some(thread) = thread::enter()
    {
        thread.detector.forget(address as usize, size);
    }
    let arguments =
        [address as usize, size, protection as usize, flags as usize, file as isize as usize, offset as usize];
    // SAFETY: the program's arguments.
    result(unsafe { sys::mmap(arguments) }) as *mut c_void
}

/// What the kernel says, as the C library says it.
fn result(status: isize) -> isize {
    if (-4095..0).contains(&status) {
        // SAFETY: errno is this thread's.
        unsafe { *libc::__errno_location() = -status as c_int };
        return -1;
    }
    status
}
