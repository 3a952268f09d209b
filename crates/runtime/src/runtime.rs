//! The one root of what the runtime knows, and how it starts and ends.
//!
//! What is made with the options of the environment is made at the start, and stays. Besides the root there are only
//! three kinds of statics: the allocator with its addresses, which the language wants there; the
//! [mark](fencepost_wire::mark), which the linker fills in; and the addresses of the C library's functions behind those
//! that are interposed.

use alloc::boxed::Box;
use alloc::ffi::CString;
use alloc::format;
use core::ffi::CStr;
use core::fmt::Write;
use core::sync::atomic::{AtomicPtr, AtomicU8, Ordering};

use fencepost_wire::options::NAMES;
use fencepost_wire::{End, Line, OPTIONS_VARIABLE, Options, RAW_VARIABLE, Report};

use crate::detector::Detector;
use crate::interpose::barriers::Barriers;
use crate::interpose::bytes;
use crate::interpose::descriptors::Descriptors;
use crate::renderer::Renderer;
use crate::report::{Answer, Sink};
use crate::schedule::{Chooser, Scheduler};
use crate::threads::Threads;
use crate::{arena, complain, layout, shadow, sys, thread};

pub(crate) struct Root {
    state: AtomicU8,
    started: AtomicPtr<Started>,
    pub(crate) scheduler: Scheduler,
    pub(crate) threads: Threads,
    pub(crate) barriers: Barriers,
    pub(crate) descriptors: Descriptors,
}

/// What there is from the start on.
pub(crate) struct Started {
    pub(crate) options: Options,
    pub(crate) renderer: Renderer,
    pub(crate) detector: Detector,
}

pub(crate) static ROOT: Root = Root {
    state: AtomicU8::new(ASLEEP),
    started: AtomicPtr::new(core::ptr::null_mut()),
    scheduler: Scheduler::new(),
    threads: Threads::new(),
    barriers: Barriers::new(),
    descriptors: Descriptors::new(),
};

const ASLEEP: u8 = 0;
const STARTING: u8 = 1;
const READY: u8 = 2;

/// Whether accesses are followed. Before the first constructor of an instrumented file, they are not.
#[inline]
pub(crate) fn is_ready() -> bool {
    ROOT.state.load(Ordering::Relaxed) == READY
}

/// None before the start.
#[inline]
pub(crate) fn started() -> Option<&'static Started> {
    // SAFETY: set once, and never freed.
    unsafe { ROOT.started.load(Ordering::Acquire).as_ref() }
}

/// None before the start.
#[inline]
pub(crate) fn detector() -> Option<&'static Detector> {
    started().map(|started| &started.detector)
}

/// Sends the reports of the detector to the renderer.
struct ToRenderer;

impl Sink for ToRenderer {
    fn show(&self, report: Report) -> Answer {
        let Some(Started { options, renderer, .. }) = started() else { return Answer::Suppressed };
        let is_violation = report.kind.is_violation();
        let answer = ROOT.scheduler.while_reporting(|| renderer.send(&Line::Report(report)));
        if is_violation && answer == Answer::Shown && options.halt_on_error {
            renderer.finish();
            sys::exit_now(options.exit_status.into());
        }
        answer
    }
}

/// Starts the runtime unless it has started. The process has one thread then: constructors run before `main`, and the
/// first `pthread_create` comes here too.
pub(crate) fn start() {
    if ROOT.state.compare_exchange(ASLEEP, STARTING, Ordering::AcqRel, Ordering::Relaxed).is_err() {
        return;
    }
    let text = environment(OPTIONS_VARIABLE).unwrap_or_default();
    let options = Options::parse(&text.to_string_lossy(), |mistake| complain!("{OPTIONS_VARIABLE}: {mistake}"));
    if options.help {
        print_help();
    }
    layout::make_fit();
    let detector = Some(()).filter(|()| shadow::reserve()).and_then(|()| Detector::new(&options, Box::new(ToRenderer)));
    let Some(detector) = detector else { layout::no_room() };
    let renderer = Renderer::new(environment(RAW_VARIABLE), options.renderer.clone());
    ROOT.scheduler.start(Chooser::new(&options));
    ROOT.started.store(Box::into_raw(Box::new(Started { options, renderer, detector })), Ordering::Release);
    bytes::initialise();
    ROOT.threads.initialise();
    // SAFETY: the handlers live as long as the process.
    unsafe {
        atexit_without_library(finish);
        libc::pthread_atfork(Some(before_fork), Some(after_fork_in_parent), Some(after_fork_in_child));
    }
    ROOT.state.store(READY, Ordering::Release);
    if let Some(started) = started() {
        started.renderer.note(&Line::start(sys::process_id()));
    }
    thread::attach();
}

/// A variable of the environment.
fn environment(name: &str) -> Option<CString> {
    let name = CString::new(name).ok()?;
    // SAFETY: the name ends with a zero byte; what comes back is copied at once.
    unsafe {
        let value = libc::getenv(name.as_ptr());
        (!value.is_null()).then(|| CString::from(CStr::from_ptr(value)))
    }
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
///
/// # Safety
/// The handler lives as long as the process.
unsafe fn atexit_without_library(handler: extern "C" fn(*mut libc::c_void)) {
    unsafe extern "C" {
        fn __cxa_atexit(
            handler: extern "C" fn(*mut libc::c_void),
            argument: *mut libc::c_void,
            library: *mut libc::c_void,
        ) -> i32;
    }
    // SAFETY: as the caller says.
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
pub(crate) fn end() -> Option<i32> {
    let Started { options, renderer, detector } = started()?;
    // A signal handler may end the process while this very thread holds a lock that would be needed here.
    if !thread::is_inside() {
        let (steps, schedule) = ROOT.scheduler.stop();
        renderer.note(&Line::End { end: End { steps, schedule } });
        renderer.finish();
    }
    let shown = detector.reports().shown();
    if options.verbose {
        complain!("{shown} reports");
    }
    (shown > 0 && options.exit_status != 0).then_some(options.exit_status.into())
}

/// Takes all locks, so that the child finds nothing half done: the threads that would complete it are not in the child.
extern "C" fn before_fork() {
    ROOT.threads.before_fork();
    ROOT.barriers.before_fork();
    ROOT.scheduler.before_fork();
    if let Some(started) = started() {
        started.renderer.before_fork();
        started.detector.before_fork();
    }
    // Last, because all others allocate.
    arena::before_fork();
}

extern "C" fn after_fork_in_parent() {
    arena::after_fork();
    if let Some(started) = started() {
        started.detector.after_fork();
        started.renderer.after_fork();
    }
    ROOT.scheduler.after_fork();
    ROOT.barriers.after_fork();
    ROOT.threads.after_fork();
}

extern "C" fn after_fork_in_child() {
    after_fork_in_parent();
    if let Some(started) = started() {
        started.renderer.forget();
    }
    ROOT.scheduler.stop();
}
