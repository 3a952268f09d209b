//! Atomic accesses and fences. Where a thread cannot be followed (before the start, in a signal handler that
//! interrupted the runtime), an access is only performed.

use core::ffi::c_int;

use fencepost_clocks::{Attempt, Order};
use fencepost_wire::Operation;

use super::word::Word;
use crate::detector::{Effect, Request};
use crate::runtime::ROOT;
use crate::thread::Thread;
use crate::{export, schedule, sys, thread, tls};

/// The compiler's numbers. Upper bits are hints for lock elision.
fn order(number: c_int) -> Order {
    match number & 0xff {
        0 => Order::Relaxed,
        1 | 2 => Order::Acquire,
        3 => Order::Release,
        4 => Order::AcqRel,
        _ => Order::SeqCst,
    }
}

/// A failed CAS only reads.
fn without_release(order: Order) -> Order {
    match order {
        Order::Release => Order::Relaxed,
        Order::AcqRel => Order::Acquire,
        order => order,
    }
}

fn request<T: Word>(operation: Operation, address: *mut T, attempt: Attempt) -> Request {
    Request { operation, address: address as usize, size: T::SIZE, attempt, caller: tls::caller() }
}

/// An access under the schedule.
#[inline(always)]
fn access<T>(
    thread: &mut Thread,
    request: &Request,
    current: impl Fn() -> u64,
    perform: impl FnOnce() -> (T, Option<Effect>),
) -> T {
    ROOT.scheduler.access_point(&mut thread.scheduled);
    let (result, changed) = thread.detector.access(thread, request, current, perform);
    ROOT.scheduler.accessed(&mut thread.scheduled, changed);
    result
}

unsafe extern "C" fn load<T: Word>(address: *mut T, number: c_int) -> T {
    let order = order(number);
    // SAFETY: the program's atomic.
    let perform = move || unsafe { T::load(address) };
    let Some(thread) = thread::enter() else { return perform() };
    if !schedule::is_controlled()
        && let Some(value) = thread.detector.load_again(thread, address as usize, T::SIZE, order, perform)
    {
        return value;
    }
    let request = request(Operation::Load, address, Attempt::Load(order));
    access(thread, &request, move || perform().bits(), move || (perform(), Some(Effect::read(order))))
}

unsafe extern "C" fn store<T: Word>(address: *mut T, value: T, number: c_int) {
    let order = order(number);
    // SAFETY: the program's atomic.
    let Some(thread) = thread::enter() else { return unsafe { T::store(address, value) } };
    let request = request(Operation::Store, address, Attempt::Store(order));
    // SAFETY: the program's atomic.
    let current = move || unsafe { T::load(address) }.bits();
    access(thread, &request, current, move || {
        // SAFETY: the program's atomic.
        let old = unsafe { T::exchange(address, value) };
        ((), Some(Effect { reads: false, writes: Some(value.bits()), order, changed: old != value }))
    });
}

/// A release store of a byte that the runtime makes for the program.
pub(crate) unsafe fn release_byte(address: *mut u8, value: u8) {
    // SAFETY: as the caller says.
    unsafe { store(address, value, 3) };
}

/// An RMW that always succeeds.
fn update<T: Word>(operation: Operation, address: *mut T, number: c_int, new: impl Fn(T) -> T + Copy) -> T {
    let order = order(number);
    let perform = move || {
        // SAFETY: the program's atomic.
        let mut old = unsafe { T::load(address) };
        loop {
            // SAFETY: the program's atomic.
            let found = unsafe { T::compare_exchange(address, old, new(old)) };
            if found == old {
                return old;
            }
            old = found;
        }
    };
    let Some(thread) = thread::enter() else { return perform() };
    // SAFETY: the program's atomic.
    let current = move || unsafe { T::load(address) }.bits();
    access(thread, &request(operation, address, Attempt::Rmw(order)), current, move || {
        let old = perform();
        let new = new(old);
        (old, Some(Effect { reads: true, writes: Some(new.bits()), order, changed: new != old }))
    })
}

unsafe extern "C" fn exchange<T: Word>(address: *mut T, value: T, number: c_int) -> T {
    update(Operation::Exchange, address, number, move |_| value)
}

unsafe extern "C" fn fetch_add<T: Word>(address: *mut T, value: T, number: c_int) -> T {
    update(Operation::FetchAdd, address, number, move |old| old.add(value))
}

unsafe extern "C" fn fetch_sub<T: Word>(address: *mut T, value: T, number: c_int) -> T {
    update(Operation::FetchSub, address, number, move |old| old.subtract(value))
}

unsafe extern "C" fn fetch_and<T: Word>(address: *mut T, value: T, number: c_int) -> T {
    update(Operation::FetchAnd, address, number, move |old| old.and(value))
}

unsafe extern "C" fn fetch_or<T: Word>(address: *mut T, value: T, number: c_int) -> T {
    update(Operation::FetchOr, address, number, move |old| old.or(value))
}

unsafe extern "C" fn fetch_xor<T: Word>(address: *mut T, value: T, number: c_int) -> T {
    update(Operation::FetchXor, address, number, move |old| old.xor(value))
}

unsafe extern "C" fn fetch_nand<T: Word>(address: *mut T, value: T, number: c_int) -> T {
    update(Operation::FetchNand, address, number, move |old| old.nand(value))
}

/// What was in memory.
fn compare_exchange<T: Word>(
    address: *mut T,
    expected: T,
    value: T,
    (success, failure): (c_int, c_int),
    weak: bool,
) -> T {
    let (success, failure) = (order(success), without_release(order(failure)));
    // SAFETY: the program's atomic.
    let perform = move || unsafe { T::compare_exchange(address, expected, value) };
    let Some(thread) = thread::enter() else { return perform() };
    let wanted = expected.bits();
    let attempt = if weak {
        Attempt::WeakCas { success, failure, expected: wanted }
    } else {
        Attempt::StrongCas { success, failure, expected: wanted }
    };
    // SAFETY: the program's atomic.
    let current = move || unsafe { T::load(address) }.bits();
    access(thread, &request(Operation::CompareExchange, address, attempt), current, move || {
        let found = perform();
        let effect = if found == expected {
            Effect { reads: true, writes: Some(value.bits()), order: success, changed: value != found }
        } else {
            Effect::read(failure)
        };
        (found, Some(effect))
    })
}

/// Writes what was found to `expected`, and returns whether it was as expected.
unsafe extern "C" fn compare_exchange_in_place<T: Word, const WEAK: bool>(
    address: *mut T,
    expected: *mut T,
    value: T,
    success: c_int,
    failure: c_int,
) -> c_int {
    // SAFETY: the program's own variable.
    let wanted = unsafe { *expected };
    let found = compare_exchange(address, wanted, value, (success, failure), WEAK);
    if found != wanted {
        // SAFETY: as above.
        unsafe { *expected = found };
    }
    c_int::from(found == wanted)
}

/// clang has this name for weak and strong alike. Taken for strong, a weak one that fails for no reason is not
/// considered, which can only make for fewer reports.
unsafe extern "C" fn compare_exchange_val<T: Word>(
    address: *mut T,
    expected: T,
    value: T,
    success: c_int,
    failure: c_int,
) -> T {
    compare_exchange(address, expected, value, (success, failure), false)
}

unsafe extern "C" fn thread_fence(number: c_int) {
    if let Some(thread) = thread::enter() {
        ROOT.scheduler.access_point(&mut thread.scheduled);
        thread.detector.fence(thread, order(number));
    }
    core::sync::atomic::fence(core::sync::atomic::Ordering::SeqCst);
}

/// Orders a thread with its own signal handlers, of which the clocks know nothing.
unsafe extern "C" fn signal_fence(_: c_int) {}

/// Waits until the location holds the value (or, with `except`, another): `wait` of paper 000 §4.3. Only a value that
/// would let it go on counts, but that is checked also while it has to wait.
unsafe fn wait<T: Word>(address: *mut T, value: T, except: bool, number: c_int) -> T {
    let (order, bits) = (order(number), value.bits());
    let attempt = if except { Attempt::WaitNot { order, value: bits } } else { Attempt::Wait { order, value: bits } };
    let request = request(Operation::Wait, address, attempt);
    loop {
        let perform = || {
            // SAFETY: the program's atomic.
            let found = unsafe { T::load(address) };
            ((found == value) != except).then_some(found)
        };
        // SAFETY: the program's atomic.
        let current = move || unsafe { T::load(address) }.bits();
        let found = repeated(&request, current, move || {
            let found = perform();
            (found, found.is_some().then(|| Effect::read(order)))
        });
        if let Some(found) = found {
            return found;
        }
    }
}

/// Waits until it can replace the expected value: `BCAS` of paper 000 §4.3.
unsafe fn blocking_cas<T: Word>(address: *mut T, expected: T, value: T, number: c_int) {
    let order = order(number);
    let attempt = Attempt::BlockingCas { order, expected: expected.bits() };
    let request = request(Operation::BlockingCas, address, attempt);
    // SAFETY: the program's atomic.
    let current = move || unsafe { T::load(address) }.bits();
    let attempt = || {
        // SAFETY: the program's atomic.
        let done = unsafe { T::compare_exchange(address, expected, value) } == expected;
        let effect = Effect { reads: true, writes: Some(value.bits()), order, changed: value != expected };
        (done.then_some(()), done.then_some(effect))
    };
    while repeated(&request, current, attempt).is_none() {}
}

/// `fencepost.h` has the size of the location, which is one of these.
unsafe extern "C" fn wait_of_size(address: usize, value: u64, size: c_int, except: c_int, number: c_int) -> u64 {
    let except = except != 0;
    // SAFETY: the program's atomic of this size.
    unsafe {
        match size {
            1 => wait(address as *mut u8, value as u8, except, number).into(),
            2 => wait(address as *mut u16, value as u16, except, number).into(),
            4 => wait(address as *mut u32, value as u32, except, number).into(),
            _ => wait(address as *mut u64, value, except, number),
        }
    }
}

unsafe extern "C" fn blocking_cas_of_size(address: usize, expected: u64, value: u64, size: c_int, number: c_int) {
    // SAFETY: the program's atomic of this size.
    unsafe {
        match size {
            1 => blocking_cas(address as *mut u8, expected as u8, value as u8, number),
            2 => blocking_cas(address as *mut u16, expected as u16, value as u16, number),
            4 => blocking_cas(address as *mut u32, expected as u32, value as u32, number),
            _ => blocking_cas(address as *mut u64, expected, value, number),
        }
    }
}

/// One round of a loop that waits, and lets others run if it has to go on.
fn repeated<T>(
    request: &Request,
    current: impl Fn() -> u64,
    perform: impl FnOnce() -> (Option<T>, Option<Effect>),
) -> Option<T> {
    match thread::enter() {
        Some(thread) => {
            let result = access(thread, request, current, perform);
            if result.is_none() {
                schedule::give_way_or_yield(thread);
            }
            result
        }
        None => {
            let result = perform().0;
            if result.is_none() {
                sys::yield_now();
            }
            result
        }
    }
}

macro_rules! entries {
    ($($bits:literal, $word:ty;)*) => {
        export! {
            $(
                ["__tsan_atomic", $bits, "_load"] => load::<$word>;
                ["__tsan_atomic", $bits, "_store"] => store::<$word>;
                ["__tsan_atomic", $bits, "_exchange"] => exchange::<$word>;
                ["__tsan_atomic", $bits, "_fetch_add"] => fetch_add::<$word>;
                ["__tsan_atomic", $bits, "_fetch_sub"] => fetch_sub::<$word>;
                ["__tsan_atomic", $bits, "_fetch_and"] => fetch_and::<$word>;
                ["__tsan_atomic", $bits, "_fetch_or"] => fetch_or::<$word>;
                ["__tsan_atomic", $bits, "_fetch_xor"] => fetch_xor::<$word>;
                ["__tsan_atomic", $bits, "_fetch_nand"] => fetch_nand::<$word>;
                ["__tsan_atomic", $bits, "_compare_exchange_strong"] => compare_exchange_in_place::<$word, false>;
                ["__tsan_atomic", $bits, "_compare_exchange_weak"] => compare_exchange_in_place::<$word, true>;
                ["__tsan_atomic", $bits, "_compare_exchange_val"] => compare_exchange_val::<$word>;
            )*
        }
    };
}

entries! {
    "8", u8;
    "16", u16;
    "32", u32;
    "64", u64;
    "128", u128;
}

export! {
    ["__fencepost_wait"] => wait_of_size;
    ["__fencepost_bcas"] => blocking_cas_of_size;
    ["__tsan_atomic_thread_fence"] => thread_fence;
    ["__tsan_atomic_signal_fence"] => signal_fence;
}
