//! The threads of the program.

use alloc::boxed::Box;
use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, Ordering};

use hashbrown::HashMap;

use crate::detector::{self, ThreadClock};
use crate::frames::Frames;
use crate::interpose::barriers;
use crate::loads::Loads;
use crate::spin::SpinLock;
use crate::trace::Trace;
use crate::{arena, complain, renderer, report, runtime, schedule, sys, tls};

/// What the runtime knows of a thread. Threads keep theirs to themselves; others reach it only before it starts and after
/// it has ended.
pub struct Thread {
    pub clock: ThreadClock,
    pub frames: Frames,
    pub trace: Trace,
    pub loads: Loads,
    /// In the order of creation; the main thread is 0.
    pub number: u32,
    /// More than 0 inside the runtime, where a signal handler may interrupt it: what the handler does then is not followed.
    pub inside: u32,
    /// Reads and writes that the program asked not to follow.
    pub ignored: u32,
    pub scheduled: schedule::Slot,
}

/// A thread from its creation to its join.
struct Record {
    thread: *mut Thread,
    start: extern "C" fn(*mut c_void) -> *mut c_void,
    argument: *mut c_void,
    state: AtomicU32,
    /// The signals that its creator blocks, and so it does too. Until it is known here, it blocks them all: a handler would run
    /// in a thread that came from nowhere.
    signals: sys::Signals,
}

const DETACHED: u32 = 1;
const ENDED: u32 = 2;
/// It is, or was, in the registry. Whoever joins or detaches it has taken it out for good.
const REGISTERED: u32 = 4;
/// Its creator needs the record no more.
const CREATED: u32 = 8;
/// Nobody else needs it.
const DONE_WITH: u32 = 16;

/// SIGKILL, SIGSTOP, and the two that the C library keeps for itself and never blocks for good.
const UNBLOCKABLE: sys::Signals = 1 << 8 | 1 << 18 | 1 << 31 | 1 << 32;

/// Set while a thread ends: what its last destructors do is not followed.
const GONE: *mut Thread = core::ptr::without_provenance_mut(1);

struct Registry {
    records: Option<HashMap<usize, *mut Record, foldhash::fast::FixedState>>,
    unused: Option<Box<Unused>>,
}

/// A thread that ended, whose room the next one takes.
struct Unused {
    thread: *mut Thread,
    next: Option<Box<Unused>>,
}

// SAFETY: what the pointers lead to is reached by one thread at a time.
unsafe impl Send for Registry {}

static REGISTRY: SpinLock<Registry> = SpinLock::new(Registry { records: None, unused: None });
static NUMBERS: AtomicU32 = AtomicU32::new(0);
static KEY: AtomicU32 = AtomicU32::new(u32::MAX);

pub fn initialise() {
    let mut key = 0;
    // SAFETY: the destructor lives as long as the process.
    if unsafe { libc::pthread_key_create(&mut key, Some(thread_ends)) } == 0 {
        KEY.store(key, Ordering::Relaxed);
    }
}

/// The running thread, unless the runtime is not ready, or is running already.
#[inline(always)]
pub fn enter() -> Option<&'static mut Thread> {
    let thread = tls::thread();
    if (thread as usize) <= GONE as usize {
        return attach();
    }
    // SAFETY: a thread's own record, which only it uses.
    let thread = unsafe { &mut *thread };
    (thread.inside == 0).then_some(thread)
}

/// Whether the running thread is in the middle of the runtime: then this is a signal handler.
pub fn is_inside() -> bool {
    let thread = tls::thread();
    // SAFETY: a thread's own record.
    thread as usize > GONE as usize && unsafe { (*thread).inside > 0 }
}

/// Makes the running thread known, if it was not: the first one, or one that came from nowhere.
#[cold]
pub fn attach() -> Option<&'static mut Thread> {
    if tls::thread() == GONE || !runtime::is_ready() {
        return None;
    }
    // A signal handler that comes now is not followed.
    tls::set_thread(GONE, core::ptr::null());
    let thread = new_thread(None);
    follow(thread);
    // SAFETY: just made, and this thread's own.
    schedule::thread_starts(unsafe { &mut *thread });
    // SAFETY: just made, and this thread's own.
    Some(unsafe { &mut *thread })
}

/// The running thread is this one.
fn follow(thread: *mut Thread) {
    // SAFETY: a thread's own record.
    tls::set_thread(thread, unsafe { (*thread).clock.clock() });
}

fn new_thread(parent: Option<&mut Thread>) -> *mut Thread {
    let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
    let unused = {
        let mut registry = REGISTRY.lock();
        registry.unused.take().map(|unused| {
            let Unused { thread, next } = *unused;
            registry.unused = next;
            thread
        })
    };
    let clock = detector::new_thread(parent, number);
    match unused {
        Some(thread) => {
            // SAFETY: its former owner is gone.
            let reused = unsafe { &mut *thread };
            reused.frames.clear();
            reused.loads.clear();
            reused.trace = clock.trace();
            reused.clock = clock;
            reused.number = number;
            reused.inside = 0;
            reused.ignored = 0;
            reused.scheduled = schedule::Slot::default();
            thread
        }
        None => {
            let (Some(frames), Some(loads)) = (Frames::new(), Loads::new()) else {
                complain!("no memory for another thread");
                sys::exit_now(2);
            };
            Box::into_raw(Box::new(Thread {
                trace: clock.trace(),
                clock,
                frames,
                loads,
                number,
                inside: 0,
                ignored: 0,
                scheduled: schedule::Slot::default(),
            }))
        }
    }
}

/// A thread that is about to be created. Pass it to [`created`] or [`not_created`].
pub struct Creation {
    record: *mut Record,
}

impl Creation {
    pub fn argument(&self) -> *mut c_void {
        self.record.cast()
    }
}

pub fn create(
    parent: &mut Thread,
    start: extern "C" fn(*mut c_void) -> *mut c_void,
    argument: *mut c_void,
    detached: bool,
    signals: sys::Signals,
) -> Creation {
    let thread = new_thread(Some(parent));
    // SAFETY: just made.
    schedule::thread_created(unsafe { &mut *thread });
    let state = AtomicU32::new(if detached { DETACHED } else { 0 });
    Creation { record: Box::into_raw(Box::new(Record { thread, start, argument, state, signals })) }
}

pub fn not_created(creation: Creation) {
    // SAFETY: no thread has it.
    let record = unsafe { Box::from_raw(creation.record) };
    // SAFETY: as above.
    let thread = unsafe { &mut *record.thread };
    schedule::thread_ends(thread).tell();
    detector::end_thread(&mut thread.clock);
    detector::discard_thread(&mut thread.clock);
    reuse(record.thread);
}

fn reuse(thread: *mut Thread) {
    let mut registry = REGISTRY.lock();
    let next = registry.unused.take();
    registry.unused = Some(Box::new(Unused { thread, next }));
}

/// The thread itself and its creator both come here, because either may be the first to tell others its name. The second may
/// come when the thread is being joined already, and its name is soon another's.
fn register(id: libc::pthread_t, record: *mut Record) {
    let mut registry = REGISTRY.lock();
    // SAFETY: the thread and its creator hold on to the record.
    if unsafe { (*record).state.fetch_or(REGISTERED, Ordering::Relaxed) } & REGISTERED == 0 {
        registry.records.get_or_insert_default().insert(id as usize, record);
    }
}

pub fn created(creation: Creation, id: libc::pthread_t, detached: bool) {
    if !detached {
        register(id, creation.record);
    }
    // SAFETY: until now, the creator holds on to the record.
    unsafe {
        if (*creation.record).state.fetch_or(CREATED, Ordering::AcqRel) & DONE_WITH != 0 {
            drop(Box::from_raw(creation.record));
        }
    }
}

/// Where created threads start.
pub extern "C" fn run(record: *mut c_void) -> *mut c_void {
    let record: *mut Record = record.cast();
    // SAFETY: the record lives until the thread is joined, or has ended detached.
    let (start, argument) = unsafe {
        follow((*record).thread);
        // The attributes of a thread may have signals of their own.
        let blocked = sys::block_signals((*record).signals);
        if blocked | UNBLOCKABLE != sys::ALL_SIGNALS {
            sys::block_signals(blocked);
        }
        if (*record).state.load(Ordering::Relaxed) & DETACHED == 0 {
            register(libc::pthread_self(), record);
        }
        libc::pthread_setspecific(KEY.load(Ordering::Relaxed), record.cast());
        forget_stack();
        schedule::thread_starts(&mut *(*record).thread);
        ((*record).start, (*record).argument)
    };
    start(argument)
}

/// The stack may have been another thread's.
fn forget_stack() {
    // SAFETY: asks about this thread.
    unsafe {
        let mut attributes: libc::pthread_attr_t = core::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return;
        }
        let (mut stack, mut size) = (core::ptr::null_mut(), 0);
        if libc::pthread_attr_getstack(&attributes, &mut stack, &mut size) == 0 {
            detector::forget(stack as usize, size);
        }
        libc::pthread_attr_destroy(&mut attributes);
    }
}

/// The C library calls it in up to four rounds with other destructors; the thread ends in the last, when those of the program
/// have run.
extern "C" fn thread_ends(record: *mut c_void) {
    let record: *mut Record = record.cast();
    let thread = tls::thread();
    if (thread as usize) <= GONE as usize {
        return;
    }
    // SAFETY: a thread's own record.
    unsafe {
        (*thread).scheduled.rounds += 1;
        if (*thread).scheduled.rounds < 4 {
            libc::pthread_setspecific(KEY.load(Ordering::Relaxed), record.cast());
            return;
        }
        detector::end_thread(&mut (*thread).clock);
        tls::set_thread(GONE, core::ptr::null());
        // Once the end can be seen, the record may be another's.
        let ended = schedule::thread_ends(&mut *thread);
        if (*record).state.fetch_or(ENDED, Ordering::AcqRel) & DETACHED != 0 {
            detector::discard_thread(&mut (*thread).clock);
            dispose(record);
        }
        ended.tell();
    }
}

/// # Safety
/// Nobody else has the record, and its thread has ended.
unsafe fn dispose(record: *mut Record) {
    // SAFETY: nobody else has the record, and its thread has ended, as the caller says.
    unsafe {
        let thread = (*record).thread;
        if (*record).state.fetch_or(DONE_WITH, Ordering::AcqRel) & CREATED != 0 {
            drop(Box::from_raw(record));
        }
        reuse(thread);
    }
}

fn take(id: libc::pthread_t) -> Option<*mut Record> {
    REGISTRY.lock().records.as_mut()?.remove(&(id as usize))
}

/// A thread that is being joined or detached. Afterwards its name may be another's, so its record is taken before.
pub struct Joining(*mut Record);

impl Joining {
    /// What those wait for who wait for its end.
    pub fn key(&self) -> usize {
        // SAFETY: the record lives until it is joined.
        unsafe { (*self.0).thread as usize }
    }
}

/// Call it before the thread is joined, and [`joined`] or [`not_joined`] after.
pub fn joining(id: libc::pthread_t) -> Option<Joining> {
    take(id).map(Joining)
}

pub fn joined(by: &mut Thread, joining: Joining) {
    // SAFETY: the thread has ended, so that its clock is at rest, and nobody else joins it.
    unsafe {
        detector::join_thread(by, &mut (*(*joining.0).thread).clock);
        dispose(joining.0);
    }
}

pub fn not_joined(id: libc::pthread_t, joining: Joining) {
    REGISTRY.lock().records.get_or_insert_default().insert(id as usize, joining.0);
}

/// Lets a thread go on, whatever it waits for under a controlled schedule.
pub fn wake(id: libc::pthread_t) {
    let registry = REGISTRY.lock();
    if let Some(&record) = registry.records.as_ref().and_then(|records| records.get(&(id as usize))) {
        // SAFETY: what is registered lives. Only the thread itself changes its part in the schedule, and it does not run now.
        schedule::wake_thread(unsafe { &(*(*record).thread).scheduled });
    }
}

/// Whether a thread that is being joined has ended.
pub fn has_ended(joining: &Joining) -> bool {
    // SAFETY: the record lives until it is joined.
    unsafe { (*joining.0).state.load(Ordering::Acquire) & ENDED != 0 }
}

pub fn detached(joining: Joining) {
    let record = joining.0;
    // SAFETY: the record lives until it is detached and ended, and the second of the two disposes of it.
    unsafe {
        if (*record).state.fetch_or(DETACHED, Ordering::AcqRel) & ENDED != 0 {
            detector::discard_thread(&mut (*(*record).thread).clock);
            dispose(record);
        }
    }
}

impl Thread {
    /// The trace, with room for an event.
    #[inline(always)]
    pub fn trace(&mut self) -> &mut Trace {
        if self.trace.is_full() {
            self.begin_part();
        }
        &mut self.trace
    }

    /// Calls of the last moments are told one by one: a program that calls itself is at ever new places.
    #[cold]
    fn begin_part(&mut self) {
        const TOLD: usize = 32;
        self.trace.begin_part(self.frames.calls_but(TOLD), self.number);
        self.frames.innermost(TOLD).for_each(|counter| self.trace.call(counter));
    }

    #[inline(always)]
    pub fn enter_function(&mut self, counter: usize, stack: usize) {
        while self.frames.was_left(stack) {
            self.leave_function();
        }
        self.trace().call(counter);
        self.frames.enter(counter, stack);
    }

    #[inline(always)]
    pub fn leave_function(&mut self) {
        self.trace().returns();
        self.frames.leave();
    }
}

/// How deep inside the thread was that forks; it holds many locks meanwhile.
static INSIDE: AtomicU32 = AtomicU32::new(0);

/// Locks everything, so that nothing is half done in the child: who did it is not there any more.
pub fn before_fork() {
    let thread = tls::thread();
    // SAFETY: a thread's own record.
    let inside = if thread as usize > 1 { unsafe { (*thread).inside } } else { 0 };
    REGISTRY.hold();
    INSIDE.store(inside, Ordering::Relaxed);
    barriers::before_fork();
    schedule::before_fork();
    renderer::before_fork();
    report::before_fork();
    detector::lock_all();
    // Last, because all others allocate.
    arena::before_fork();
}

pub fn after_fork() {
    arena::after_fork();
    detector::unlock_all();
    report::after_fork();
    renderer::after_fork();
    schedule::after_fork();
    barriers::after_fork();
    let thread = tls::thread();
    if thread as usize > 1 {
        // SAFETY: a thread's own record.
        unsafe { (*thread).inside = INSIDE.load(Ordering::Relaxed) };
    }
    REGISTRY.reset();
}
