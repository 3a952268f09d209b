use fencepost_clocks::{Access, Attempt, Clocks, Extent, Location, Order, Race, Touch, Violation, ViolationKind};

use fencepost_wire::{Kind, Operation, Ordering};

use super::Detector;
use crate::places::Place;
use crate::report::Side;
use crate::table::{Atomic, Held};
use crate::thread::Thread;
use crate::{complain, shadow, sys};

/// An RMW that depends on what it reads and always succeeds, unlike the exchange that takes a lock.
#[inline(always)]
fn only_updates(operation: Operation) -> bool {
    (operation as u8) >= Operation::FetchAdd as u8 && (operation as u8) <= Operation::FetchNand as u8
}

/// An atomic access, as the program asked for it.
pub(crate) struct Request {
    pub(crate) operation: Operation,
    pub(crate) address: usize,
    pub(crate) size: u8,
    /// What is checked before it is performed.
    pub(crate) attempt: Attempt,
    pub(crate) caller: usize,
}

/// What an access did.
pub(crate) struct Effect {
    pub(crate) reads: bool,
    /// The value that was written.
    pub(crate) writes: Option<u64>,
    pub(crate) order: Order,
    /// Whether memory holds something else than before.
    pub(crate) changed: bool,
}

impl Effect {
    pub(crate) fn read(order: Order) -> Effect {
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

/// Where an access finds its location.
enum Found {
    /// Locked until the access is dropped.
    Locked(Access<'static>, &'static Location),
    /// Accesses of different sizes overlap there. `first` if this one is the first to show it.
    MixedSizes { held: Held<'static>, first: bool },
}

impl Detector {
    /// A load of what the thread has seen already, which changes nothing: what it read. None if it may be something
    /// else.
    #[inline(always)]
    pub(crate) fn load_again<T>(
        &self,
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
            && Clocks::is_remembered(clock, shadow::granule(address), extent, Touch::AtomicRead);
        let value = is_known.then(perform)?;
        location.is_unchanged(clock, &seen, order).then_some(value)
    }

    /// Checks an access, lets it be performed, and tells the clocks what it did: in one, as far as other threads can
    /// see. `current` reads what memory holds, for a location that is seen for the first time; `perform` returns None
    /// if nothing happened (a wait that has to go on). Returns also whether memory holds something else than before.
    pub(crate) fn access<T>(
        &'static self,
        thread: &mut Thread,
        request: &Request,
        current: impl Fn() -> u64,
        perform: impl FnOnce() -> (T, Option<Effect>),
    ) -> (T, bool) {
        let _inside = thread.enter_runtime();
        let (mut access, location) = match self.locate(thread, request, current) {
            Found::Locked(access, location) => (access, location),
            Found::MixedSizes { held, first } => {
                return self.access_to_mixed_sizes(thread, request, held, first, perform);
            }
        };
        let extent = Extent::of(request.address, request.size as usize);
        if let Some(extent) = extent {
            access = access.shadowed(shadow::granule(request.address), extent);
        }
        let violation = access.check(request.attempt);
        let (result, effect) = perform();
        let race = effect.as_ref().and_then(|effect| self.note(thread, request, effect, &mut access));
        let is_new = access.is_new();
        // A thread that only counts seldom looks at what it counted.
        if effect.is_some() && !only_updates(request.operation) {
            thread.loads.put(request.address, request.size, location, access.seen());
        }
        drop(access);
        let (writes, changed) =
            effect.as_ref().map_or((false, false), |effect| (effect.writes.is_some(), effect.changed));
        let touch = if writes { Touch::AtomicWrite } else { Touch::AtomicRead };
        if let Some(violation) = violation
            && self.robustness
        {
            self.report_violation(thread, request, violation);
        }
        if let Some(extent) = extent {
            if let (Some(race), Some(effect)) = (race, effect) {
                let (place, ordering) = (thread.place(request.caller), Some(ordering(effect.order)));
                self.report_race(thread.number, request.address, extent, touch, place, ordering, race);
            }
            if is_new {
                thread.trace().access(request.address, extent, touch, request.caller);
            }
        }
        (result, changed)
    }

    /// The location of an access, locked. It is made if there is none.
    #[inline(always)]
    fn locate(&'static self, thread: &Thread, request: &Request, current: impl Fn() -> u64) -> Found {
        let address = request.address;
        loop {
            if let Some(found) = self.table.find(address, request.size) {
                found.location.prefetch();
                shadow::granule(address).prefetch();
                let access = self.clocks.access(thread.clock.clock, found.location);
                if found.is_current() {
                    return Found::Locked(access, found.location);
                }
                continue;
            }
            let held = self.table.lock(address);
            match held.atomic(address, request.size, || self.clocks.location(current())) {
                Some(Atomic::Followed) => {}
                Some(Atomic::MixedSizes { first }) => return Found::MixedSizes { held, first },
                None => {
                    complain!("there are too many atomic locations at once");
                    sys::exit_now(2);
                }
            }
        }
    }

    /// Tells the clocks what an access did.
    #[inline(always)]
    fn note(&self, thread: &mut Thread, request: &Request, effect: &Effect, access: &mut Access<'_>) -> Option<Race> {
        let Some(value) = effect.writes else { return access.load(effect.order) };
        let place = pack(thread.place(request.caller), request.operation, effect.order);
        if effect.reads { access.rmw(effect.order, value, place) } else { access.store(effect.order, value, place) }
    }

    /// Where accesses of different sizes overlap, none is checked, and each counts as one to all sixteen bytes, which
    /// acquires and releases: what one released is not lost to another, so that no race is invented.
    #[cold]
    fn access_to_mixed_sizes<T>(
        &self,
        thread: &mut Thread,
        request: &Request,
        held: Held,
        first: bool,
        perform: impl FnOnce() -> (T, Option<Effect>),
    ) -> (T, bool) {
        let place = thread.place(request.caller);
        let (address, size) = (request.address, request.size as usize);
        let extent = Extent::of(address, size);
        let (result, effect) = perform();
        let writes = effect.as_ref().and_then(|effect| effect.writes);
        let touch = if writes.is_some() { Touch::AtomicWrite } else { Touch::AtomicRead };
        let mut race = None;
        if effect.is_some() {
            for (i, location) in held.locations(address).enumerate() {
                let mut access = self.clocks.access(thread.clock.clock, location);
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
            self.report_race(thread.number, address, extent, touch, place, None, race);
        }
        if first {
            let thread = Some(thread.number);
            let side =
                Side { thread, operation: request.operation, atomic: true, ordering: None, address, size, place };
            self.reports.report(&self.places, Kind::MixedSize, &side, &side);
        }
        if let Some(extent) = extent {
            thread.trace().access(address, extent, touch, request.caller);
        }
        (result, effect.is_some_and(|effect| effect.changed))
    }

    #[cold]
    #[inline(never)]
    fn report_violation(&self, thread: &mut Thread, request: &Request, violation: Violation) {
        let later = Side {
            thread: Some(thread.number),
            operation: request.operation,
            atomic: true,
            ordering: Some(ordering(order(request.attempt))),
            address: request.address,
            size: request.size as usize,
            place: thread.place(request.caller),
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
        self.reports.report(&self.places, kind, &later, &missed);
    }

    pub(crate) fn fence(&self, thread: &mut Thread, order: Order) {
        let _inside = thread.enter_runtime();
        self.clocks.fence(thread.clock.clock, order);
    }
}
