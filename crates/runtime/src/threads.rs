//! The threads of the program, from their creation to their join.

use alloc::boxed::Box;
use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, Ordering};

use hashbrown::HashMap;

use crate::detector::Detector;
use crate::runtime::ROOT;
use crate::spin::SpinLock;
use crate::thread::{self, GONE, Thread};
use crate::{sys, tls};

/// A thread from its creation to its join.
struct Record {
    thread: *mut Thread,
    start: extern "C" fn(*mut c_void) -> *mut c_void,
    argument: *mut c_void,
    state: AtomicU32,
    /// The signals that its creator blocks, and so it does too. Until it is known here, it blocks them all: a handler
    /// would run in a thread that came from nowhere.
    signals: sys::Signals,
}

const DETACHED: u32 = 1;
const ENDED: u32 = 2;
/// It is, or was, in the registry. Joining or detaching it removes it for good.
const REGISTERED: u32 = 4;
/// Its creator needs the record no more.
const CREATED: u32 = 8;
/// No other thread needs it.
const DONE_WITH: u32 = 16;

/// SIGKILL, SIGSTOP, and the two that the C library keeps for itself and never blocks for good.
const UNBLOCKABLE: sys::Signals = 1 << 8 | 1 << 18 | 1 << 31 | 1 << 32;
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

pub(crate) struct Threads {
    registry: SpinLock<Registry>,
    /// How many there were.
    next: AtomicU32,
    /// For `pthread_setspecific`.
    key: AtomicU32,
    /// How deep inside the thread was that forks; it holds many locks meanwhile.
    inside: AtomicU32,
}

impl Threads {
    pub(crate) const fn new() -> Threads {
        Threads {
            registry: SpinLock::new(Registry { records: None, unused: None }),
            next: AtomicU32::new(0),
            key: AtomicU32::new(u32::MAX),
            inside: AtomicU32::new(0),
        }
    }

    pub(crate) fn initialise(&self) {
        let mut key = 0;
        // SAFETY: the destructor lives as long as the process.
        if unsafe { libc::pthread_key_create(&mut key, Some(thread_ends)) } == 0 {
            self.key.store(key, Ordering::Relaxed);
        }
    }

    pub(crate) fn before_fork(&self) {
        let inside = thread::running_record().map_or(0, |thread| thread.inside.get());
        self.registry.hold();
        self.inside.store(inside, Ordering::Relaxed);
    }

    pub(crate) fn after_fork(&self) {
        if let Some(thread) = thread::running_record() {
            thread.inside.set(self.inside.load(Ordering::Relaxed));
        }
        self.registry.reset();
    }
}
/// A record for a new thread, in the room of one that has ended if there is one.
pub(crate) fn new_thread(detector: &'static Detector, parent: Option<&Thread>) -> *mut Thread {
    let number = ROOT.threads.next.fetch_add(1, Ordering::Relaxed);
    let unused = {
        let mut registry = ROOT.threads.registry.lock();
        registry.unused.take().map(|unused| {
            let Unused { thread, next } = *unused;
            registry.unused = next;
            thread
        })
    };
    let Some(thread) = unused else {
        return Box::into_raw(Box::new(Thread::new(detector, parent, number)));
    };
    // SAFETY: its former owner is gone.
    unsafe { (*thread).begin(parent, number) };
    thread
}

/// A thread that is about to be created. Pass it to [`created`] or [`not_created`].
pub(crate) struct Creation {
    record: *mut Record,
}

impl Creation {
    pub(crate) fn argument(&self) -> *mut c_void {
        self.record.cast()
    }
}

pub(crate) fn create(
    parent: &mut Thread,
    start: extern "C" fn(*mut c_void) -> *mut c_void,
    argument: *mut c_void,
    detached: bool,
    signals: sys::Signals,
) -> Creation {
    let thread = new_thread(parent.detector, Some(parent));
    // SAFETY: just made.
    ROOT.scheduler.thread_created(unsafe { &mut (*thread).scheduled });
    let state = AtomicU32::new(if detached { DETACHED } else { 0 });
    Creation { record: Box::into_raw(Box::new(Record { thread, start, argument, state, signals })) }
}

pub(crate) fn not_created(creation: Creation) {
    // SAFETY: no thread has it.
    let record = unsafe { Box::from_raw(creation.record) };
    // SAFETY: as above.
    let thread = unsafe { &mut *record.thread };
    ROOT.scheduler.thread_ends(&mut thread.scheduled, record.thread as usize).tell();
    thread.detector.end_thread(&thread.clock);
    thread.detector.discard_thread(&thread.clock);
    reuse(record.thread);
}

fn reuse(thread: *mut Thread) {
    let mut registry = ROOT.threads.registry.lock();
    let next = registry.unused.take();
    registry.unused = Some(Box::new(Unused { thread, next }));
}

/// The thread itself and its creator both come here, because either may be the first to tell others its name. The
/// second may come when the thread is being joined already, and its name is soon another's.
fn register(id: libc::pthread_t, record: *mut Record) {
    let mut registry = ROOT.threads.registry.lock();
    // SAFETY: the thread and its creator hold on to the record.
    if unsafe { (*record).state.fetch_or(REGISTERED, Ordering::Relaxed) } & REGISTERED == 0 {
        registry.records.get_or_insert_default().insert(id as usize, record);
    }
}

pub(crate) fn created(creation: Creation, id: libc::pthread_t, detached: bool) {
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
pub(crate) extern "C" fn start_routine(record: *mut c_void) -> *mut c_void {
    let record: *mut Record = record.cast();
    // SAFETY: the record lives until the thread is joined, or has ended detached.
    let (start, argument) = unsafe {
        thread::follow((*record).thread);
        // The attributes of a thread may have signals of their own.
        let blocked = sys::block_signals((*record).signals);
        if blocked | UNBLOCKABLE != sys::ALL_SIGNALS {
            sys::block_signals(blocked);
        }
        if (*record).state.load(Ordering::Relaxed) & DETACHED == 0 {
            register(libc::pthread_self(), record);
        }
        libc::pthread_setspecific(ROOT.threads.key.load(Ordering::Relaxed), record.cast());
        forget_stack((*(*record).thread).detector);
        ROOT.scheduler.thread_starts(&mut (*(*record).thread).scheduled);
        ((*record).start, (*record).argument)
    };
    start(argument)
}

/// The stack may have been another thread's.
fn forget_stack(detector: &Detector) {
    // SAFETY: asks about this thread.
    unsafe {
        let mut attributes: libc::pthread_attr_t = core::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return;
        }
        let (mut stack, mut size) = (core::ptr::null_mut(), 0);
        if libc::pthread_attr_getstack(&attributes, &mut stack, &mut size) == 0 {
            detector.forget(stack as usize, size);
        }
        libc::pthread_attr_destroy(&mut attributes);
    }
}

/// The C library calls it in up to four rounds with other destructors; the thread ends in the last, when those of the
/// program have run.
extern "C" fn thread_ends(record: *mut c_void) {
    let record: *mut Record = record.cast();
    let thread = tls::thread();
    if (thread as usize) <= GONE as usize {
        return;
    }
    // SAFETY: a thread's own record.
    unsafe {
        (*thread).rounds += 1;
        if (*thread).rounds < 4 {
            libc::pthread_setspecific(ROOT.threads.key.load(Ordering::Relaxed), record.cast());
            return;
        }
        let detector = (*thread).detector;
        detector.end_thread(&(*thread).clock);
        tls::set_thread(GONE, core::ptr::null());
        // Once the end can be seen, the record may be another's.
        let ended = ROOT.scheduler.thread_ends(&mut (*thread).scheduled, thread as usize);
        if (*record).state.fetch_or(ENDED, Ordering::AcqRel) & DETACHED != 0 {
            detector.discard_thread(&(*thread).clock);
            dispose(record);
        }
        ended.tell();
    }
}

/// # Safety
/// No other thread has the record, and its thread has ended.
unsafe fn dispose(record: *mut Record) {
    // SAFETY: no other thread has the record, and its thread has ended, as the caller says.
    unsafe {
        let thread = (*record).thread;
        if (*record).state.fetch_or(DONE_WITH, Ordering::AcqRel) & CREATED != 0 {
            drop(Box::from_raw(record));
        }
        reuse(thread);
    }
}

fn take(id: libc::pthread_t) -> Option<*mut Record> {
    ROOT.threads.registry.lock().records.as_mut()?.remove(&(id as usize))
}

/// A thread that is being joined or detached. Afterwards its name may be another's, so its record is taken before.
pub(crate) struct Joining(*mut Record);

impl Joining {
    /// The key that joining threads wait on.
    pub(crate) fn key(&self) -> usize {
        // SAFETY: the record lives until it is joined.
        unsafe { (*self.0).thread as usize }
    }
}

/// Call it before the thread is joined, and [`joined`] or [`not_joined`] after.
pub(crate) fn joining(id: libc::pthread_t) -> Option<Joining> {
    take(id).map(Joining)
}

pub(crate) fn joined(by: &mut Thread, joining: Joining) {
    // SAFETY: the thread has ended, so its clock is at rest, and no other thread joins it.
    unsafe {
        by.detector.join_thread(by, &(*(*joining.0).thread).clock);
        dispose(joining.0);
    }
}

pub(crate) fn not_joined(id: libc::pthread_t, joining: Joining) {
    ROOT.threads.registry.lock().records.get_or_insert_default().insert(id as usize, joining.0);
}

/// Lets a thread go on, whatever it waits for under a controlled schedule.
pub(crate) fn wake(id: libc::pthread_t) {
    let registry = ROOT.threads.registry.lock();
    if let Some(&record) = registry.records.as_ref().and_then(|records| records.get(&(id as usize))) {
        // SAFETY: what is registered lives. Only the thread itself changes its part in the schedule, and it does not
        // run now.
        ROOT.scheduler.wake_thread(unsafe { &(*(*record).thread).scheduled });
    }
}

/// Whether a thread that is being joined has ended.
pub(crate) fn has_ended(joining: &Joining) -> bool {
    // SAFETY: the record lives until it is joined.
    unsafe { (*joining.0).state.load(Ordering::Acquire) & ENDED != 0 }
}

pub(crate) fn detached(joining: Joining) {
    let record = joining.0;
    // SAFETY: the record lives until it is detached and ended, and the second of the two disposes of it.
    unsafe {
        if (*record).state.fetch_or(DETACHED, Ordering::AcqRel) & ENDED != 0 {
            let thread = (*record).thread;
            (*thread).detector.discard_thread(&(*thread).clock);
            dispose(record);
        }
    }
}
