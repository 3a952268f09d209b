//! What the runtime knows of a thread, and which thread is running.

use crate::detector::{Detector, ThreadClock};
use crate::frames::Frames;
use crate::inside::{Depth, Inside};
use crate::loads::Loads;
use crate::places::Place;
use crate::runtime::{self, ROOT};
use crate::schedule::Slot;
use crate::threads::new_thread;
use crate::trace::Trace;
use crate::{complain, sys, tls};

/// What the runtime knows of a thread. Threads keep theirs to themselves; others reach it only before it starts and
/// after it has ended. Records are never freed: the next thread takes the room.
pub(crate) struct Thread {
    pub(crate) detector: &'static Detector,
    pub(crate) clock: ThreadClock,
    pub(crate) frames: Frames,
    pub(crate) trace: Trace,
    pub(crate) loads: Loads,
    /// In the order of creation; the main thread is 0.
    pub(crate) number: u32,
    pub(crate) inside: Depth,
    /// Reads and writes that the program asked not to follow.
    pub(crate) ignored: u32,
    pub(crate) scheduled: Slot,
    /// How often its destructors ran; see [`crate::threads`].
    pub(crate) rounds: u32,
}
/// Set while a thread ends: what its last destructors do is not followed.
pub(crate) const GONE: *mut Thread = core::ptr::without_provenance_mut(1);
/// What is known of the running thread, also when it is inside the runtime.
#[inline(always)]
pub(crate) fn running_record() -> Option<&'static Thread> {
    let thread = tls::thread();
    // SAFETY: a thread's own record, which stays.
    (thread as usize > GONE as usize).then(|| unsafe { &*thread })
}

/// The running thread, if it is known, is inside the runtime until the guard is dropped.
#[inline(always)]
pub(crate) fn enter_runtime() -> Option<Inside> {
    // SAFETY: records stay.
    running_record().map(|thread| unsafe { thread.inside.enter() })
}

/// The running thread, unless the runtime is not ready, or is running already.
#[inline(always)]
pub(crate) fn enter() -> Option<&'static mut Thread> {
    let thread = tls::thread();
    if (thread as usize) <= GONE as usize {
        return attach();
    }
    // SAFETY: a thread's own record, which only it uses.
    let thread = unsafe { &mut *thread };
    (thread.inside.get() == 0).then_some(thread)
}

/// Whether the running thread is in the middle of the runtime: then this is a signal handler.
pub(crate) fn is_inside() -> bool {
    running_record().is_some_and(|thread| thread.inside.get() > 0)
}

/// Makes the running thread known, if it was not: the first one, or one that came from nowhere.
#[cold]
pub(crate) fn attach() -> Option<&'static mut Thread> {
    if tls::thread() == GONE || !runtime::is_ready() {
        return None;
    }
    let detector = runtime::detector()?;
    // A signal handler that comes now is not followed.
    tls::set_thread(GONE, core::ptr::null());
    let thread = new_thread(detector, None);
    follow(thread);
    // SAFETY: just made, and this thread's own.
    let thread = unsafe { &mut *thread };
    ROOT.scheduler.thread_starts(&mut thread.scheduled);
    Some(thread)
}

/// The running thread is this one.
pub(crate) fn follow(thread: *mut Thread) {
    // SAFETY: a thread's own record.
    tls::set_thread(thread, unsafe { (*thread).clock.clock() });
}
impl Thread {
    pub(crate) fn new(detector: &'static Detector, parent: Option<&Thread>, number: u32) -> Thread {
        let clock = detector.new_thread(parent, number);
        let (Some(frames), Some(loads)) = (Frames::new(), Loads::new()) else {
            complain!("no memory for another thread");
            sys::exit_now(2);
        };
        let (trace, inside, scheduled) = (Trace::new(clock.ring()), Depth::default(), Slot::default());
        Thread { detector, clock, frames, trace, loads, number, inside, ignored: 0, scheduled, rounds: 0 }
    }

    /// Makes the record that of a new thread.
    pub(crate) fn begin(&mut self, parent: Option<&Thread>, number: u32) {
        self.frames.clear();
        self.loads.clear();
        self.clock = self.detector.new_thread(parent, number);
        self.trace = Trace::new(self.clock.ring());
        self.number = number;
        self.inside.set(0);
        self.ignored = 0;
        self.scheduled = Slot::default();
        self.rounds = 0;
    }

    /// Whether plain accesses count: not if the program asked for that, nor in a signal handler that interrupted the
    /// runtime.
    #[inline(always)]
    pub(crate) fn is_followed(&self) -> bool {
        self.ignored == 0 && self.inside.get() == 0
    }

    /// The thread is inside the runtime until the guard is dropped.
    #[inline(always)]
    pub(crate) fn enter_runtime(&self) -> Inside {
        // SAFETY: records stay.
        unsafe { self.inside.enter() }
    }

    /// The place of an access in the innermost function.
    #[inline]
    pub(crate) fn place(&mut self, counter: usize) -> Place {
        self.frames.place(self.detector.places(), counter)
    }

    /// The trace, with room for an event.
    #[inline(always)]
    pub(crate) fn trace(&mut self) -> &mut Trace {
        if self.trace.is_full() {
            self.begin_part();
        }
        &mut self.trace
    }

    /// Calls of the last moments are told one by one: a program that calls itself is at ever new places.
    #[cold]
    fn begin_part(&mut self) {
        const TOLD: usize = 32;
        self.trace.begin_part(self.frames.calls_but(self.detector.places(), TOLD), self.number);
        self.frames.innermost(TOLD).for_each(|counter| self.trace.call(counter));
    }

    #[inline(always)]
    pub(crate) fn enter_function(&mut self, counter: usize, stack: usize) {
        while self.frames.was_left(stack) {
            self.leave_function();
        }
        self.trace().call(counter);
        self.frames.enter(counter, stack);
    }

    #[inline(always)]
    pub(crate) fn leave_function(&mut self) {
        self.trace().returns();
        self.frames.leave();
    }
}
