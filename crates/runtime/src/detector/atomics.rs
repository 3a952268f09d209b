use fencepost_clocks::{Attempt, Clocks, Extent, Order, Touch, Violation, ViolationKind};

use fencepost_wire::{Kind, Operation, Ordering};

use super::{detector, plain};
use crate::places::Place;
use crate::report::{self, Side};
use crate::table::{Atomic, Held};
use crate::thread::Thread;
use crate::{complain, runtime, schedule, shadow, sys};

/// An RMW that depends on what it reads and always succeeds, unlike the exchange that takes a lock.
#[inline(always)]
fn only_updates(operation: Operation) -> bool {
    (operation as u8) >= Operation::FetchAdd as u8 && (operation as u8) <= Operation::FetchNand as u8
}

/// An atomic access, as the program asked for it.
pub struct Request {
    pub operation: Operation,
    pub address: usize,
    pub size: u8,
    /// What is checked before it is performed.
    pub attempt: Attempt,
    pub caller: usize,
}

/// What an access did.
pub struct Effect {
    pub reads: bool,
    /// The value that was written.
    pub writes: Option<u64>,
    pub order: Order,
    /// Whether memory holds something else than before.
    pub changed: bool,
}

impl Effect {
    pub fn read(order: Order) -> Effect {
        Effect { reads: true, writes: None, order, changed: false }
    }
}

/// What the clocks keep with a write, in 40 bits: its place, what it was, and its ordering.
fn pack(place: Place, operation: Operation, order: Order) -> u64 {
    u64::from(place) | (operation as u64) << 32 | (ordering(order) as u64) << 36
}

fn unpack(packed: u64) -> (Place, Option<Operation>, Option<Ordering>) {
    let number = |shift: u32| (packed >> shift) as u8 & 0xf;
    (packed as Place, Operation::from_number(number(32)), Ordering::from_number(number(36)))
}

pub(super) fn ordering(order: Order) -> Ordering {
    match order {
        Order::Relaxed => Ordering::Relaxed,
        Order::Acquire => Ordering::Acquire,
        Order::Release => Ordering::Release,
        Order::AcqRel => Ordering::AcqRel,
        Order::SeqCst => Ordering::SeqCst,
    }
}

fn order(attempt: Attempt) -> Order {
    match attempt {
        Attempt::Load(order)
        | Attempt::Store(order)
        | Attempt::Rmw(order)
        | Attempt::Wait { order, .. }
        | Attempt::WaitNot { order, .. }
        | Attempt::BlockingCas { order, .. } => order,
        Attempt::WeakCas { success, .. } | Attempt::StrongCas { success, .. } => success,
    }
}

/// A load of what the thread has seen already, which changes nothing: what it read. None if it may be something else.
#[inline(always)]
pub fn load_again<T>(
    thread: &Thread,
    address: usize,
    size: u8,
    order: Order,
    perform: impl FnOnce() -> T,
) -> Option<T> {
    let (location, seen) = thread.loads.get(address, size)?;
    let clock = thread.clock.clock;
    let extent = Extent::of(address, size as usize)?;
    let is_known = location.is_unchanged(clock, &seen, order)
        && Clocks::is_remembered(clock, shadow::granule(address), extent, Touch::AtomicRead)
        && !schedule::is_controlled();
    let value = is_known.then(perform)?;
    location.is_unchanged(clock, &seen, order).then_some(value)
}

/// Checks an access, lets it be performed, and tells the clocks what it did: in one, as far as other threads can see.
/// `current` reads what memory holds, for a location that is seen for the first time; `perform` returns None if nothing
/// happened (a wait that has to go on).
pub fn access<T>(
    thread: &mut Thread,
    request: &Request,
    current: impl Fn() -> u64,
    perform: impl FnOnce() -> (T, Option<Effect>),
) -> T {
    schedule::access_point(thread);
    thread.inside += 1;
    let detector = detector();
    let address = request.address;
    let clock = thread.clock.clock;
    let (mut access, location) = loop {
        if let Some(found) = detector.table.find(address, request.size) {
            found.location.prefetch();
            shadow::granule(address).prefetch();
            let access = detector.clocks.access(clock, found.location);
            if found.is_current() {
                break (access, found.location);
            }
            continue;
        }
        let held = detector.table.lock(address);
        match held.atomic(address, request.size, || detector.clocks.location(current())) {
            Some(Atomic::Followed) => continue,
            Some(Atomic::MixedSizes { first }) => {
                return access_to_mixed_sizes(thread, request, held, first, perform);
            }
            None => {
                complain!("there are too many atomic locations at once");
                sys::exit_now(2);
            }
        }
    };
    let extent = Extent::of(address, request.size as usize);
    if let Some(extent) = extent {
        access = access.shadowed(shadow::granule(address), extent);
    }
    let violation = access.check(request.attempt);
    let (result, effect) = perform();
    let mut race = None;
    let mut changed = false;
    // A thread that only counts seldom looks at what it counted.
    let may_be_read_again = effect.is_some() && !only_updates(request.operation);
    let mut touch = Touch::AtomicRead;
    if let Some(effect) = effect {
        changed = effect.changed;
        if effect.writes.is_some() {
            touch = Touch::AtomicWrite;
        }
        race = match effect.writes {
            Some(value) => {
                let place = pack(thread.frames.place(request.caller), request.operation, effect.order);
                if effect.reads {
                    access.rmw(effect.order, value, place)
                } else {
                    access.store(effect.order, value, place)
                }
            }
            None => access.load(effect.order),
        }
        .map(|race| (race, effect.order));
    }
    let is_new = access.is_new();
    if may_be_read_again {
        thread.loads.put(address, request.size, location, access.seen());
    }
    drop(access);
    if let Some(violation) = violation
        && runtime::options().robustness
    {
        report_violation(thread, request, violation);
    }
    if let (Some((race, order)), Some(extent)) = (race, extent) {
        let place = thread.frames.place(request.caller);
        plain::report_race(thread.number, address, extent, touch, place, Some(ordering(order)), race);
    }
    if let Some(extent) = extent
        && is_new
    {
        thread.trace().access(address, extent, touch, request.caller);
    }
    thread.inside -= 1;
    schedule::accessed(thread, changed);
    result
}

/// Where accesses of different sizes overlap, none is checked, and each counts as one to all sixteen bytes, which acquires and
/// releases: what one released is not lost to another, so that no race is invented.
#[cold]
fn access_to_mixed_sizes<T>(
    thread: &mut Thread,
    request: &Request,
    held: Held,
    first: bool,
    perform: impl FnOnce() -> (T, Option<Effect>),
) -> T {
    let place = thread.frames.place(request.caller);
    let (address, size) = (request.address, request.size as usize);
    let extent = Extent::of(address, size);
    let (result, effect) = perform();
    let writes = effect.as_ref().and_then(|effect| effect.writes);
    let touch = if writes.is_some() { Touch::AtomicWrite } else { Touch::AtomicRead };
    let mut race = None;
    if effect.is_some() {
        for (i, location) in held.locations(address).enumerate() {
            let mut access = detector().clocks.access(thread.clock.clock, location);
            if let (0, Some(extent)) = (i, extent) {
                access = access.shadowed(shadow::granule(address), extent);
            }
            let found = match writes {
                Some(value) => access.rmw(Order::AcqRel, value, pack(place, request.operation, Order::AcqRel)),
                None => access.load(Order::Acquire),
            };
            race = race.or(found);
        }
    }
    drop(held);
    if let (Some(race), Some(extent)) = (race, extent) {
        plain::report_race(thread.number, address, extent, touch, place, None, race);
    }
    if first {
        let thread = Some(thread.number);
        let side = Side { thread, operation: request.operation, atomic: true, ordering: None, address, size, place };
        report::report(Kind::MixedSize, &side, &side);
    }
    if let Some(extent) = extent {
        thread.trace().access(address, extent, touch, request.caller);
    }
    thread.inside -= 1;
    schedule::accessed(thread, effect.is_some_and(|effect| effect.changed));
    result
}

#[cold]
#[inline(never)]
fn report_violation(thread: &mut Thread, request: &Request, violation: Violation) {
    let later = Side {
        thread: Some(thread.number),
        operation: request.operation,
        atomic: true,
        ordering: Some(ordering(order(request.attempt))),
        address: request.address,
        size: request.size as usize,
        place: thread.frames.place(request.caller),
    };
    let (place, operation, ordering) = unpack(violation.missed.place);
    let missed = Side {
        thread: violation.missed.thread,
        operation: operation.unwrap_or(Operation::Store),
        atomic: true,
        ordering,
        address: later.address,
        size: later.size,
        place,
    };
    let kind = match violation.kind {
        ViolationKind::StaleRead => Kind::StaleRead,
        ViolationKind::StaleWrite => Kind::StaleWrite,
        ViolationKind::StaleRmw => Kind::StaleRmw,
    };
    report::report(kind, &later, &missed);
}

pub fn fence(thread: &mut Thread, order: Order) {
    schedule::access_point(thread);
    thread.inside += 1;
    detector().clocks.fence(thread.clock.clock, order);
    thread.inside -= 1;
}
