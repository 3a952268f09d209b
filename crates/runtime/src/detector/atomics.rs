use fencepost_clocks::{Attempt, Clocks, Extent, Order, Touch, Violation, ViolationKind};

use super::{detector, plain};
use crate::places::Place;
use crate::report::{self, Access, Kind, What};
use crate::table::{Atomic, Held};
use crate::thread::Thread;
use crate::{complain, runtime, schedule, shadow, sys};

/// What an access is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Name {
    Load,
    Store,
    Exchange,
    FetchAdd,
    FetchSub,
    FetchAnd,
    FetchOr,
    FetchXor,
    FetchNand,
    CompareExchange,
    Wait,
    BlockingCas,
}

impl Name {
    /// An RMW that depends on what it reads and always succeeds, unlike the exchange that takes a lock.
    #[inline(always)]
    fn only_updates(self) -> bool {
        (self as u8) >= Name::FetchAdd as u8 && (self as u8) <= Name::FetchNand as u8
    }
}

const NAMES: [&str; 12] = [
    "load",
    "store",
    "exchange",
    "fetch_add",
    "fetch_sub",
    "fetch_and",
    "fetch_or",
    "fetch_xor",
    "fetch_nand",
    "compare_exchange",
    "wait",
    "bcas",
];

const ORDERS: [Order; 5] = [Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];

/// An atomic access, as the program asked for it.
pub struct Operation {
    pub name: Name,
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
fn pack(place: Place, name: Name, order: Order) -> u64 {
    u64::from(place) | (name as u64) << 32 | (order as u64) << 36
}

fn unpack(packed: u64) -> (Place, &'static str, &'static str) {
    let name = NAMES.get((packed >> 32) as usize & 0xf).copied().unwrap_or("");
    let order = ORDERS.get((packed >> 36) as usize & 0xf).map_or("", |&order| ordering_name(order));
    (packed as Place, name, order)
}

fn ordering_name(order: Order) -> &'static str {
    match order {
        Order::Relaxed => "relaxed",
        Order::Acquire => "acquire",
        Order::Release => "release",
        Order::AcqRel => "acq_rel",
        Order::SeqCst => "seq_cst",
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
    operation: &Operation,
    current: impl Fn() -> u64,
    perform: impl FnOnce() -> (T, Option<Effect>),
) -> T {
    schedule::access_point(thread);
    thread.inside += 1;
    let detector = detector();
    let address = operation.address;
    let clock = thread.clock.clock;
    let (mut access, location) = loop {
        if let Some(found) = detector.table.find(address, operation.size) {
            found.location.prefetch();
            shadow::granule(address).prefetch();
            let access = detector.clocks.access(clock, found.location);
            if found.is_current() {
                break (access, found.location);
            }
            continue;
        }
        let held = detector.table.lock(address);
        match held.atomic(address, operation.size, || detector.clocks.location(current())) {
            Some(Atomic::Followed) => continue,
            Some(Atomic::MixedSizes { first }) => {
                return access_to_mixed_sizes(thread, operation, held, first, perform);
            }
            None => {
                complain!("there are too many atomic locations at once");
                sys::exit_now(2);
            }
        }
    };
    let extent = Extent::of(address, operation.size as usize);
    if let Some(extent) = extent {
        access = access.shadowed(shadow::granule(address), extent);
    }
    let violation = access.check(operation.attempt);
    let (result, effect) = perform();
    let mut race = None;
    let mut changed = false;
    // A thread that only counts seldom looks at what it counted.
    let may_be_read_again = effect.is_some() && !operation.name.only_updates();
    let mut touch = Touch::AtomicRead;
    if let Some(effect) = effect {
        changed = effect.changed;
        if effect.writes.is_some() {
            touch = Touch::AtomicWrite;
        }
        race = match effect.writes {
            Some(value) => {
                let place = pack(thread.frames.place(operation.caller), operation.name, effect.order);
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
        thread.loads.put(address, operation.size, location, access.seen());
    }
    drop(access);
    if let Some(violation) = violation
        && runtime::options().robustness
    {
        report_violation(thread, operation, violation);
    }
    if let (Some((race, order)), Some(extent)) = (race, extent) {
        let place = thread.frames.place(operation.caller);
        plain::report_race(thread.number, address, extent, touch, place, ordering_name(order), race);
    }
    if let Some(extent) = extent
        && is_new
    {
        thread.trace().access(address, extent, touch, operation.caller);
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
    operation: &Operation,
    held: Held,
    first: bool,
    perform: impl FnOnce() -> (T, Option<Effect>),
) -> T {
    let place = thread.frames.place(operation.caller);
    let (address, size) = (operation.address, operation.size as usize);
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
                Some(value) => access.rmw(Order::AcqRel, value, pack(place, operation.name, Order::AcqRel)),
                None => access.load(Order::Acquire),
            };
            race = race.or(found);
        }
    }
    drop(held);
    if let (Some(race), Some(extent)) = (race, extent) {
        plain::report_race(thread.number, address, extent, touch, place, "", race);
    }
    if first {
        let name = NAMES[operation.name as usize];
        let said =
            || Access { thread: thread.number, operation: name, atomic: true, ordering: "", address, size, place };
        report::report(Kind::MixedSize, &said(), &said());
    }
    if let Some(extent) = extent {
        thread.trace().access(address, extent, touch, operation.caller);
    }
    thread.inside -= 1;
    schedule::accessed(thread, effect.is_some_and(|effect| effect.changed));
    result
}

#[cold]
#[inline(never)]
fn report_violation(thread: &mut Thread, operation: &Operation, violation: Violation) {
    let later = Access {
        thread: thread.number,
        operation: NAMES[operation.name as usize],
        atomic: true,
        ordering: ordering_name(order(operation.attempt)),
        address: operation.address,
        size: operation.size as usize,
        place: thread.frames.place(operation.caller),
    };
    let missed = violation.missed;
    let (place, operation, ordering) = unpack(missed.place);
    let write = Access {
        thread: missed.thread.unwrap_or(u32::MAX),
        operation,
        atomic: true,
        ordering,
        address: later.address,
        size: later.size,
        place,
    };
    let what = match violation.kind {
        ViolationKind::StaleRead => What::StaleRead,
        ViolationKind::StaleWrite => What::StaleWrite,
        ViolationKind::StaleRmw => What::StaleRmw,
    };
    report::report(Kind::Robustness(what), &later, &write);
}

pub fn fence(thread: &mut Thread, order: Order) {
    schedule::access_point(thread);
    thread.inside += 1;
    detector().clocks.fence(thread.clock.clock, order);
    thread.inside -= 1;
}
