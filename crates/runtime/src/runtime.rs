//! How the runtime starts and ends.

use alloc::boxed::Box;
use alloc::ffi::CString;
use alloc::format;
use core::ffi::CStr;
use core::fmt::Write;
use core::sync::atomic::{AtomicPtr, AtomicU8, Ordering};

use fencepost_wire::options::NAMES;
use fencepost_wire::{End, Line, OPTIONS_VARIABLE, Options, RAW_VARIABLE};

use crate::interpose::bytes;
use crate::{complain, detector, layout, places, renderer, report, schedule, sys, thread};

const ASLEEP: u8 = 0;
const STARTING: u8 = 1;
const READY: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(ASLEEP);
static TOLD: AtomicPtr<Told> = AtomicPtr::new(core::ptr::null_mut());

/// What the environment says.
struct Told {
    options: Options,
    /// A file that takes the lines, for `fencepost run`.
    raw: Option<CString>,
}

/// Whether accesses are followed. Before the first constructor of an instrumented file, they are not.
#[inline]
pub fn is_ready() -> bool {
    STATE.load(Ordering::Relaxed) == READY
}

fn told() -> &'static Told {
    let told = TOLD.load(Ordering::Acquire);
    assert!(!told.is_null(), "options are asked for before the start");
    // SAFETY: set once, and never freed.
    unsafe { &*told }
}

/// Only once the runtime has started.
pub fn options() -> &'static Options {
    &told().options
}

/// The file for `fencepost run`. Only once the runtime has started.
pub fn raw() -> Option<&'static CStr> {
    told().raw.as_deref()
}

/// Starts the runtime unless it has started. The process has one thread then: constructors run before `main`, and the first
/// `pthread_create` comes here too.
pub fn start() {
    if STATE.compare_exchange(ASLEEP, STARTING, Ordering::AcqRel, Ordering::Relaxed).is_err() {
        return;
    }
    let text = renderer::environment(OPTIONS_VARIABLE).unwrap_or_default();
    let options = Options::parse(&text.to_string_lossy(), |mistake| complain!("{OPTIONS_VARIABLE}: {mistake}"));
    if options.help {
        print_help();
    }
    let told = Told { options, raw: renderer::environment(RAW_VARIABLE) };
    TOLD.store(Box::into_raw(Box::new(told)), Ordering::Release);
    layout::make_fit();
    if !places::initialise() || !detector::initialise() {
        layout::no_room();
    }
    bytes::initialise();
    schedule::initialise();
    thread::initialise();
    // SAFETY: the handlers live as long as the process.
    unsafe {
        atexit_without_library(finish);
        libc::pthread_atfork(Some(before_fork), Some(after_fork_in_parent), Some(after_fork_in_child));
    }
    STATE.store(READY, Ordering::Release);
    renderer::note(&Line::start(sys::process_id()));
    thread::attach();
}

fn print_help() {
    let mut text =
        format!("fencepost: {OPTIONS_VARIABLE} has pairs name=value, separated by colons, commas or spaces:\n");
    let defaults = Options::default();
    for (name, meaning) in NAMES {
        let _ = write!(text, "  {name:<14} {meaning}");
        text.push_str(&defaults.get(name).map_or("\n".into(), |default| format!(" (default {default})\n")));
    }
    sys::write_all(2, text.as_bytes());
}

/// Runs after all other handlers, because it was registered first.
unsafe fn atexit_without_library(handler: extern "C" fn(*mut libc::c_void)) {
    unsafe extern "C" {
        fn __cxa_atexit(
            handler: extern "C" fn(*mut libc::c_void),
            argument: *mut libc::c_void,
            library: *mut libc::c_void,
        ) -> i32;
    }
    // SAFETY: the handler lives as long as the process.
    unsafe { __cxa_atexit(handler, core::ptr::null_mut(), core::ptr::null_mut()) };
}

extern "C" fn finish(_: *mut libc::c_void) {
    if let Some(status) = end() {
        // SAFETY: what the program printed must not be lost with its exit status.
        unsafe { libc::fflush(core::ptr::null_mut()) };
        sys::exit_now(status);
    }
}

/// Ends the renderer, and gives the exit status if it is not the program's own.
pub fn end() -> Option<i32> {
    // A signal handler may end the process while this very thread holds a lock that would be needed here.
    if !thread::is_inside() {
        let (steps, schedule) = schedule::stop();
        renderer::note(&Line::End { end: End { steps, schedule } });
        renderer::finish();
    }
    if options().verbose {
        complain!("{} reports", report::shown());
    }
    let status = i32::from(options().exit_status);
    (report::shown() > 0 && status != 0).then_some(status)
}

extern "C" fn before_fork() {
    thread::before_fork();
}

extern "C" fn after_fork_in_parent() {
    thread::after_fork();
}

extern "C" fn after_fork_in_child() {
    thread::after_fork();
    renderer::forget();
    schedule::stop();
}
