//! title: a spin lock and a message in Rust, without the standard library: threads are pthreads
//! expect: rc11 holds, 4 complete, 4 blocked
//! broken: --cfg=relaxed race
#![no_std]
#![no_main]

use core::cell::UnsafeCell;
use core::ffi::{c_int, c_void};
use core::ptr::{null, null_mut};
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

#[cfg(not(relaxed))]
const RELEASE: Ordering = Ordering::Release;
#[cfg(relaxed)]
const RELEASE: Ordering = Ordering::Relaxed;

type Start = extern "C" fn(*mut c_void) -> *mut c_void;

unsafe extern "C" {
    fn pthread_create(thread: *mut usize, attributes: *const c_void, start: Start, argument: *mut c_void) -> c_int;
    fn pthread_join(thread: usize, result: *mut *mut c_void) -> c_int;
    fn abort() -> !;
}

struct Lock<T> {
    held: AtomicBool,
    value: UnsafeCell<T>,
}

unsafe impl<T: Send> Sync for Lock<T> {}

impl<T> Lock<T> {
    fn with<R>(&self, body: impl FnOnce(&mut T) -> R) -> R {
        while self.held.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {}
        let result = body(unsafe { &mut *self.value.get() });
        self.held.store(false, RELEASE);
        result
    }
}

static COUNTER: Lock<u32> = Lock { held: AtomicBool::new(false), value: UnsafeCell::new(0) };
static ENTERED: AtomicU32 = AtomicU32::new(0);

extern "C" fn worker(amount: *mut c_void) -> *mut c_void {
    ENTERED.fetch_add(1, Ordering::Relaxed);
    COUNTER.with(|counter| *counter += amount as u32); // race
    null_mut()
}

#[unsafe(no_mangle)]
pub extern "C" fn main() -> c_int {
    let mut threads = [0; 2];
    for (i, thread) in threads.iter_mut().enumerate() {
        unsafe { pthread_create(thread, null(), worker, (i + 1) as *mut c_void) };
    }
    for thread in threads {
        unsafe { pthread_join(thread, null_mut()) };
    }
    let sum = COUNTER.with(|counter| *counter);
    if sum != 3 || ENTERED.load(Ordering::Relaxed) != 2 {
        unsafe { abort() }
    }
    0
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    unsafe { abort() }
}
