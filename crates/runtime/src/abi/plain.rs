//! Plain accesses, function entries and exits, and the start.

use core::ffi::c_void;

use fencepost_clocks::{Clocks, Extent, Touch};

use crate::detector::QuickTouch;
use crate::thread::Thread;
use crate::{export, export_access, runtime, shadow, thread, tls};

export! {
    ["__tsan_init"] => init;
    ["__tsan_func_entry"] => func_entry;
    ["__tsan_func_exit"] => func_exit;
    ["__tsan_read_range"] => read_range;
    ["__tsan_write_range"] => write_range;
    ["__tsan_vptr_update"] => vptr_update;
    ["__tsan_vptr_read"] => vptr_read;
    ["__tsan_ignore_thread_begin"] => ignore_begin;
    ["__tsan_ignore_thread_end"] => ignore_end;
}

export_access! {
    ["__tsan_read1"] => read::<1>;
    ["__tsan_read2"] => read::<2>;
    ["__tsan_read4"] => read::<4>;
    ["__tsan_read8"] => read::<8>;
    ["__tsan_read16"] => read_of_16;
    ["__tsan_write1"] => write::<1>;
    ["__tsan_write2"] => write::<2>;
    ["__tsan_write4"] => write::<4>;
    ["__tsan_write8"] => write::<8>;
    ["__tsan_write16"] => write_of_16;
    ["__tsan_volatile_read1"] => read::<1>;
    ["__tsan_volatile_read2"] => read::<2>;
    ["__tsan_volatile_read4"] => read::<4>;
    ["__tsan_volatile_read8"] => read::<8>;
    ["__tsan_volatile_read16"] => read_of_16;
    ["__tsan_volatile_write1"] => write::<1>;
    ["__tsan_volatile_write2"] => write::<2>;
    ["__tsan_volatile_write4"] => write::<4>;
    ["__tsan_volatile_write8"] => write::<8>;
    ["__tsan_volatile_write16"] => write_of_16;
    ["__tsan_read_write1"] => write::<1>;
    ["__tsan_read_write2"] => write::<2>;
    ["__tsan_read_write4"] => write::<4>;
    ["__tsan_read_write8"] => write::<8>;
    ["__tsan_read_write16"] => write_of_16;
    ["__tsan_unaligned_read2"] => read_of_size::<2>;
    ["__tsan_unaligned_read4"] => read_of_size::<4>;
    ["__tsan_unaligned_read8"] => read_of_size::<8>;
    ["__tsan_unaligned_read16"] => read_of_size::<16>;
    ["__tsan_unaligned_write2"] => write_of_size::<2>;
    ["__tsan_unaligned_write4"] => write_of_size::<4>;
    ["__tsan_unaligned_write8"] => write_of_size::<8>;
    ["__tsan_unaligned_write16"] => write_of_size::<16>;
    ["__tsan_unaligned_read_write2"] => write_of_size::<2>;
    ["__tsan_unaligned_read_write4"] => write_of_size::<4>;
    ["__tsan_unaligned_read_write8"] => write_of_size::<8>;
    ["__tsan_unaligned_read_write16"] => write_of_size::<16>;
    ["__tsan_unaligned_volatile_read2"] => read_of_size::<2>;
    ["__tsan_unaligned_volatile_read4"] => read_of_size::<4>;
    ["__tsan_unaligned_volatile_read8"] => read_of_size::<8>;
    ["__tsan_unaligned_volatile_read16"] => read_of_size::<16>;
    ["__tsan_unaligned_volatile_write2"] => write_of_size::<2>;
    ["__tsan_unaligned_volatile_write4"] => write_of_size::<4>;
    ["__tsan_unaligned_volatile_write8"] => write_of_size::<8>;
    ["__tsan_unaligned_volatile_write16"] => write_of_size::<16>;
}

unsafe extern "C" fn init() {
    runtime::start();
}

/// The running thread. Unlike [`thread::enter`], also inside the runtime, which plain accesses never find half done.
#[inline(always)]
fn running() -> Option<&'static mut Thread> {
    let thread = tls::thread();
    if thread as usize <= 1 {
        return thread::attach();
    }
    // SAFETY: a thread's own record.
    Some(unsafe { &mut *thread })
}

/// Looks at shadow memory, and most often does nothing more. Otherwise tries three ways to make the access, each slower
/// than the one before and applicable to more cases.
#[inline(always)]
fn access<const SIZE: usize>(address: usize, touch: Touch, caller: usize) {
    let clock = tls::clock();
    if !clock.is_null()
        && let Some(extent) = Extent::of(address, SIZE)
        // SAFETY: a thread's own clock.
        && Clocks::is_remembered(unsafe { &*clock }, shadow::granule(address), extent, touch)
    {
        return;
    }
    if !attempt::<SIZE>(address, touch, caller, Clocks::touch_among) {
        second_attempt::<SIZE>(address, touch, caller);
    }
}

#[inline(never)]
fn second_attempt<const SIZE: usize>(address: usize, touch: Touch, caller: usize) {
    if !attempt::<SIZE>(address, touch, caller, Clocks::touch_simply) {
        full_access::<SIZE>(address, touch, caller);
    }
}

#[inline(always)]
fn attempt<const SIZE: usize>(address: usize, touch: Touch, caller: usize, quick: QuickTouch) -> bool {
    let thread = tls::thread();
    if thread as usize <= 1 {
        return false;
    }
    // SAFETY: a thread's own record.
    let thread = unsafe { &mut *thread };
    Extent::of(address, SIZE)
        .is_some_and(|extent| thread.detector.plain_access_by(thread, address, extent, touch, caller, quick))
}

#[inline(never)]
fn full_access<const SIZE: usize>(address: usize, touch: Touch, caller: usize) {
    let Some(thread) = running() else { return };
    match Extent::of(address, SIZE) {
        Some(extent) => thread.detector.plain_access(thread, address, extent, touch, caller),
        None => thread.detector.plain_range(thread, address, SIZE, touch == Touch::Write, caller),
    }
}

unsafe extern "C" fn read<const SIZE: usize>(address: usize, caller: usize) {
    access::<SIZE>(address, Touch::Read, caller);
}

unsafe extern "C" fn write<const SIZE: usize>(address: usize, caller: usize) {
    access::<SIZE>(address, Touch::Write, caller);
}

#[inline(always)]
fn access_16(address: usize, touch: Touch, caller: usize) {
    let clock = tls::clock();
    // SAFETY: a thread's own clock.
    let is_remembered = |granule| Clocks::is_remembered(unsafe { &*clock }, granule, Extent::WHOLE, touch);
    if !clock.is_null() && address & 7 == 0 && shadow::granules(address, 2).iter().all(is_remembered) {
        return;
    }
    full_access_16(address, touch, caller);
}

#[inline(never)]
fn full_access_16(address: usize, touch: Touch, caller: usize) {
    if address & 7 == 0 {
        access::<8>(address, touch, caller);
        access::<8>(address + 8, touch, caller);
    } else {
        range(address, 16, touch == Touch::Write, caller);
    }
}

unsafe extern "C" fn read_of_16(address: usize, caller: usize) {
    access_16(address, Touch::Read, caller);
}

unsafe extern "C" fn write_of_16(address: usize, caller: usize) {
    access_16(address, Touch::Write, caller);
}

#[inline(never)]
fn range(address: usize, size: usize, write: bool, caller: usize) {
    if let Some(thread) = running() {
        thread.detector.plain_range(thread, address, size, write, caller);
    }
}

unsafe extern "C" fn read_of_size<const SIZE: usize>(address: usize, caller: usize) {
    range(address, SIZE, false, caller);
}

unsafe extern "C" fn write_of_size<const SIZE: usize>(address: usize, caller: usize) {
    range(address, SIZE, true, caller);
}

unsafe extern "C" fn read_range(address: usize, size: usize) {
    range(address, size, false, tls::caller());
}

unsafe extern "C" fn write_range(address: usize, size: usize) {
    range(address, size, true, tls::caller());
}

/// A virtual table pointer that is set to what it was is no write: destructors do that.
unsafe extern "C" fn vptr_update(pointer: *mut *mut c_void, new: *mut c_void) {
    // SAFETY: the compiler's own pointer.
    if unsafe { *pointer } != new {
        // SAFETY: only the address is looked at.
        unsafe { write::<8>(pointer as usize, tls::caller()) };
    }
}

unsafe extern "C" fn vptr_read(pointer: *mut *mut c_void) {
    // SAFETY: only the address is looked at.
    unsafe { read::<8>(pointer as usize, tls::caller()) };
}

unsafe extern "C" fn func_entry(counter: usize) {
    let here = 0u8;
    if let Some(thread) = running() {
        thread.enter_function(counter, &raw const here as usize);
    }
}

unsafe extern "C" fn func_exit() {
    if let Some(thread) = running() {
        thread.leave_function();
    }
}

unsafe extern "C" fn ignore_begin() {
    if let Some(thread) = running() {
        thread.ignored += 1;
    }
}

unsafe extern "C" fn ignore_end() {
    if let Some(thread) = running() {
        thread.ignored = thread.ignored.saturating_sub(1);
    }
}
