use core::ffi::{c_int, c_void};

use libc::{pthread_attr_t, pthread_t};

use super::c11_status;
use crate::{export, real, runtime, schedule, sys, thread, threads};

type Start = extern "C" fn(*mut c_void) -> *mut c_void;

export! {
    ["pthread_create"] => pthread_create;
    ["pthread_join"] => pthread_join;
    ["pthread_tryjoin_np"] => pthread_tryjoin_np;
    ["pthread_timedjoin_np"] => pthread_timedjoin_np;
    ["pthread_detach"] => pthread_detach;
    ["pthread_cancel"] => pthread_cancel;
    ["thrd_create"] => thrd_create;
    ["thrd_join"] => thrd_join;
    ["thrd_detach"] => thrd_detach;
}

unsafe extern "C" fn pthread_create(
    id: *mut pthread_t,
    attributes: *const pthread_attr_t,
    start: Start,
    argument: *mut c_void,
) -> c_int {
    let create = real!(c"pthread_create", fn(*mut pthread_t, *const pthread_attr_t, Start, *mut c_void) -> c_int);
    runtime::start();
    // SAFETY: the program's arguments, as it passed them.
    let Some(parent) = thread::enter() else { return unsafe { create(id, attributes, start, argument) } };
    let mut kind = libc::PTHREAD_CREATE_JOINABLE;
    if !attributes.is_null() {
        // SAFETY: the program's attributes.
        unsafe { pthread_attr_getdetachstate(attributes, &mut kind) };
    }
    let detached = kind == libc::PTHREAD_CREATE_DETACHED;
    schedule::point(parent);
    let signals = sys::block_signals(sys::ALL_SIGNALS);
    let creation = threads::create(parent, start, argument, detached, signals);
    // The C library may call the program's own malloc here, and the new thread cannot have a turn before it is there.
    // SAFETY: the record lives until the thread ends.
    let result = schedule::without_turns(parent, || unsafe {
        create(id, attributes, threads::start_routine, creation.argument())
    });
    sys::block_signals(signals);
    if result == 0 {
        // SAFETY: set by the call that succeeded.
        threads::created(creation, unsafe { *id }, detached);
        schedule::point(parent);
    } else {
        threads::not_created(creation);
    }
    result
}

unsafe extern "C" {
    fn pthread_attr_getdetachstate(attributes: *const pthread_attr_t, kind: *mut c_int) -> c_int;
}

fn join_by(id: pthread_t, timed: bool, join: impl FnOnce() -> c_int) -> c_int {
    let Some(by) = thread::enter() else { return join() };
    schedule::point(by);
    let Some(mut joining) = threads::joining(id) else { return join() };
    while schedule::is_controlled() && !threads::has_ended(&joining) {
        // If this thread is cancelled, another may join that one.
        threads::not_joined(id, joining);
        end_if_cancelled();
        let Some(again) = threads::joining(id) else { return join() };
        joining = again;
        if !schedule::block(by, joining.key(), timed) && !threads::has_ended(&joining) {
            threads::not_joined(id, joining);
            return libc::ETIMEDOUT;
        }
    }
    let result = join();
    if result == 0 {
        threads::joined(by, joining);
    } else {
        threads::not_joined(id, joining);
    }
    result
}

unsafe extern "C" fn pthread_join(id: pthread_t, result: *mut *mut c_void) -> c_int {
    let join = real!(c"pthread_join", fn(pthread_t, *mut *mut c_void) -> c_int);
    // SAFETY: the program's arguments.
    join_by(id, false, || unsafe { join(id, result) })
}

unsafe extern "C" fn pthread_tryjoin_np(id: pthread_t, result: *mut *mut c_void) -> c_int {
    let join = real!(c"pthread_tryjoin_np", fn(pthread_t, *mut *mut c_void) -> c_int);
    // SAFETY: the program's arguments, as it passed them.
    let Some(by) = thread::enter() else { return unsafe { join(id, result) } };
    schedule::point(by);
    // SAFETY: the program's arguments, as it passed them.
    let Some(joining) = threads::joining(id) else { return unsafe { join(id, result) } };
    // SAFETY: the program's arguments.
    let status = unsafe { join(id, result) };
    if status == 0 {
        threads::joined(by, joining);
    } else {
        threads::not_joined(id, joining);
    }
    status
}

unsafe extern "C" fn pthread_timedjoin_np(
    id: pthread_t,
    result: *mut *mut c_void,
    time: *const libc::timespec,
) -> c_int {
    let join = real!(c"pthread_timedjoin_np", fn(pthread_t, *mut *mut c_void, *const libc::timespec) -> c_int);
    // SAFETY: the program's arguments.
    join_by(id, true, || unsafe { join(id, result, time) })
}

unsafe extern "C" fn pthread_detach(id: pthread_t) -> c_int {
    let detach = real!(c"pthread_detach", fn(pthread_t) -> c_int);
    // SAFETY: the program's argument. Afterwards, the name may be another thread's.
    let joining = thread::enter().and_then(|_| threads::joining(id));
    // SAFETY: the program's arguments, as it passed them.
    let status = unsafe { detach(id) };
    if let Some(joining) = joining {
        if status == 0 { threads::detached(joining) } else { threads::not_joined(id, joining) }
    }
    status
}

/// A thread that waits for its turn does not see that it is cancelled, so it is woken.
unsafe extern "C" fn pthread_cancel(id: pthread_t) -> c_int {
    let cancel = real!(c"pthread_cancel", fn(pthread_t) -> c_int);
    // SAFETY: the program's argument.
    let status = unsafe { cancel(id) };
    if schedule::is_controlled() {
        threads::wake(id);
    }
    status
}

/// Ends a cancelled thread. The C library does so where it waits, but under a controlled schedule nothing waits there.
pub(super) fn end_if_cancelled() {
    unsafe extern "C" {
        fn pthread_testcancel();
    }
    // SAFETY: if the thread ends here, there is nothing of ours left to do on its stack.
    unsafe { pthread_testcancel() };
}

/// C11's threads return an int, which travels in a pointer.
unsafe extern "C" fn thrd_create(
    id: *mut pthread_t,
    start: extern "C" fn(*mut c_void) -> c_int,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: both return in the same register, of which the C library takes the lower half for C11.
    let start = unsafe { core::mem::transmute::<extern "C" fn(*mut c_void) -> c_int, Start>(start) };
    // SAFETY: the program's arguments.
    c11_status(unsafe { pthread_create(id, core::ptr::null(), start, argument) })
}

unsafe extern "C" fn thrd_join(id: pthread_t, result: *mut c_int) -> c_int {
    let mut value = core::ptr::null_mut();
    // SAFETY: room for the result.
    let status = unsafe { pthread_join(id, &mut value) };
    if status == 0 && !result.is_null() {
        // SAFETY: the program's room for the result.
        unsafe { *result = value as usize as c_int };
    }
    c11_status(status)
}

unsafe extern "C" fn thrd_detach(id: pthread_t) -> c_int {
    // SAFETY: the program's argument.
    c11_status(unsafe { pthread_detach(id) })
}
