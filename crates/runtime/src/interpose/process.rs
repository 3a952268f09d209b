//! Sleeping, giving way, and ending the process.

use core::ffi::{c_int, c_uint};

use libc::timespec;

use super::threads;
use crate::{export, real, runtime, schedule, thread};

export! {
    ["sched_yield"] => sched_yield;
    ["thrd_yield"] => thrd_yield;
    ["nanosleep"] => nanosleep;
    ["clock_nanosleep"] => clock_nanosleep;
    ["usleep"] => usleep;
    ["sleep"] => sleep;
    ["_exit"] => exit_now;
    ["_Exit"] => exit_now;
}

/// Under a controlled schedule no thread sleeps. The thread continues when no other can.
fn sleeps_in_turn() -> bool {
    match thread::enter() {
        Some(thread) if schedule::is_controlled() => {
            // A key that nothing wakes.
            let key = core::ptr::from_mut(thread) as usize + 1;
            threads::end_if_cancelled();
            schedule::block(thread, key, true);
            threads::end_if_cancelled();
            true
        }
        _ => false,
    }
}

unsafe extern "C" fn sched_yield() -> c_int {
    if let Some(thread) = thread::enter()
        && schedule::is_controlled()
    {
        schedule::give_way(thread);
        return 0;
    }
    let give_way = real!(c"sched_yield", fn() -> c_int);
    // SAFETY: takes no arguments.
    unsafe { give_way() }
}

unsafe extern "C" fn thrd_yield() {
    // SAFETY: takes no arguments.
    unsafe { sched_yield() };
}

unsafe extern "C" fn nanosleep(time: *const timespec, left: *mut timespec) -> c_int {
    if sleeps_in_turn() {
        return 0;
    }
    let sleep = real!(c"nanosleep", fn(*const timespec, *mut timespec) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { sleep(time, left) }
}

unsafe extern "C" fn clock_nanosleep(clock: c_int, flags: c_int, time: *const timespec, left: *mut timespec) -> c_int {
    if sleeps_in_turn() {
        return 0;
    }
    let sleep = real!(c"clock_nanosleep", fn(c_int, c_int, *const timespec, *mut timespec) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { sleep(clock, flags, time, left) }
}

unsafe extern "C" fn usleep(microseconds: c_uint) -> c_int {
    if sleeps_in_turn() {
        return 0;
    }
    let sleep = real!(c"usleep", fn(c_uint) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { sleep(microseconds) }
}

unsafe extern "C" fn sleep(seconds: c_uint) -> c_uint {
    if sleeps_in_turn() {
        return 0;
    }
    let sleep = real!(c"sleep", fn(c_uint) -> c_uint);
    // SAFETY: the program's arguments, as it passed them.
    unsafe { sleep(seconds) }
}

/// Ends without handlers, so what `atexit` would have done is done here.
unsafe extern "C" fn exit_now(status: c_int) -> ! {
    let status = if runtime::is_ready() { runtime::end().unwrap_or(status) } else { status };
    crate::sys::exit_now(status)
}
