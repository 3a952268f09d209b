//! `pthread_once`, `call_once`, and the guards of C++'s local statics.
//!
//! They are done here altogether: the C library would block a thread that waits for another's initialisation where a
//! schedule cannot see it, and would let it go on before what was initialised is released.

use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use crate::abi::atomic;
use crate::{export, real, schedule, sys, thread};

export! {
    ["pthread_once"] => pthread_once;
    ["call_once"] => call_once;
    ["__cxa_guard_acquire"] => guard_acquire;
    ["__cxa_guard_release"] => guard_release;
    ["__cxa_guard_abort"] => guard_abort;
}

type Routine = extern "C" fn();

const UNDERWAY: u32 = 1;
/// As the C library has it: its own functions may look at the same word.
const DONE: u32 = 2;

unsafe extern "C" fn pthread_once(control: *mut c_int, routine: Routine) -> c_int {
    let once = real!(c"pthread_once", fn(*mut c_int, Routine) -> c_int);
    // SAFETY: the program's arguments.
    let Some(thread) = thread::enter() else { return unsafe { once(control, routine) } };
    let key = control as usize;
    schedule::point(thread);
    // SAFETY: the program's control word.
    let word = unsafe { AtomicU32::from_ptr(control.cast()) };
    loop {
        match word.compare_exchange(0, UNDERWAY, Ordering::Acquire, Ordering::Acquire) {
            Ok(_) => {
                routine();
                thread.detector.release(thread, key);
                word.store(DONE, Ordering::Release);
                schedule::wake(Some(thread), key, usize::MAX);
                sys::futex_wake(word, u32::MAX);
                return 0;
            }
            Err(DONE) => {
                thread.detector.acquire(thread, key);
                return 0;
            }
            Err(seen) if !schedule::is_controlled() => {
                sys::futex_wait(word, seen, None);
            }
            Err(_) => {
                schedule::block(thread, key, false);
            }
        }
    }
}

unsafe extern "C" fn call_once(control: *mut c_int, routine: Routine) {
    // SAFETY: a once_flag of the C library is a pthread_once_t.
    unsafe { pthread_once(control, routine) };
}

/// The first byte of a guard says whether its object is there (Itanium C++ ABI 3.3.3); the rest is ours to use.
unsafe fn guard<'a>(guard: *mut c_void) -> (&'a AtomicU8, &'a AtomicU32) {
    // SAFETY: a guard is 64 bits.
    unsafe { (AtomicU8::from_ptr(guard.cast()), AtomicU32::from_ptr(guard.cast::<u32>().add(1))) }
}

/// 1 if the caller is to construct the object.
unsafe extern "C" fn guard_acquire(object: *mut c_void) -> c_int {
    // SAFETY: the compiler's guard.
    let (ready, word) = unsafe { guard(object) };
    let key = object as usize;
    let mut thread = thread::enter();
    loop {
        if ready.load(Ordering::Acquire) != 0 {
            if let Some(thread) = &mut thread {
                thread.detector.acquire(thread, key);
            }
            return 0;
        }
        match (word.compare_exchange(0, UNDERWAY, Ordering::Acquire, Ordering::Acquire), &mut thread) {
            (Ok(_), _) if ready.load(Ordering::Acquire) == 0 => return 1,
            (Ok(_), _) => word.store(0, Ordering::Release),
            (Err(_), Some(thread)) if schedule::is_controlled() => {
                schedule::block(thread, key, false);
            }
            (Err(seen), _) => {
                sys::futex_wait(word, seen, None);
            }
        }
    }
}

fn open_guard(object: *mut c_void, initialised: bool) {
    // SAFETY: the compiler's guard.
    let (ready, word) = unsafe { guard(object) };
    let mut thread = thread::enter();
    if let Some(thread) = &mut thread {
        thread.detector.release(thread, object as usize);
    }
    // Compilers look at this byte themselves first, by an atomic load that they instrument.
    // SAFETY: the compiler's guard.
    unsafe { atomic::release_byte(ready.as_ptr(), u8::from(initialised)) };
    word.store(0, Ordering::Release);
    schedule::wake(thread, object as usize, usize::MAX);
    sys::futex_wake(word, u32::MAX);
}

unsafe extern "C" fn guard_release(object: *mut c_void) {
    open_guard(object, true);
}

/// The constructor threw.
unsafe extern "C" fn guard_abort(object: *mut c_void) {
    open_guard(object, false);
}
