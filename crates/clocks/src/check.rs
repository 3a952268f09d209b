//! Whether an access may do, under the weak model, what it cannot do under SC.

use crate::order::Order;
use crate::thread::ThreadState;
use crate::{history::WriteEntry, location::LocationState};

/// What a thread is about to do at an atomic location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    Load(Order),
    Store(Order),
    /// An RMW that succeeds whatever it reads, such as fetch-and-add.
    Rmw(Order),
    /// A CAS that may fail although it reads the expected value.
    WeakCas {
        success: Order,
        failure: Order,
        expected: u64,
    },
    /// A CAS that fails only if it reads another value.
    StrongCas {
        success: Order,
        failure: Order,
        expected: u64,
    },
    /// `wait(x = value)`: reads until it reads the value, and what it read before is of no consequence (paper 000
    /// §4.3).
    Wait {
        order: Order,
        value: u64,
    },
    /// `wait(x != value)`.
    WaitNot {
        order: Order,
        value: u64,
    },
    /// `BCAS`: a CAS that is repeated until it succeeds, whose failures are of no consequence.
    BlockingCas {
        order: Order,
        expected: u64,
    },
}

/// A write that a thread may miss, or take for the newest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// The name of the thread that wrote; `None` for the initial value.
    pub thread: Option<u32>,
    pub value: u64,
    /// What the caller said about the place in the code.
    pub place: u64,
    /// How many writes came before it.
    pub timestamp: u64,
}

impl From<&WriteEntry> for Write {
    fn from(entry: &WriteEntry) -> Write {
        let thread = (entry.timestamp() > 0).then_some(entry.thread());
        Write { thread, value: entry.value, place: entry.place(), timestamp: entry.timestamp() }
    }
}

/// A robustness violation: a behaviour that the model allows and SC does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Under SC, the access comes after this write.
    pub missed: Write,
    /// Under the model, it may read this older write, or become its successor in modification order.
    pub stale: Write,
    pub kind: ViolationKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViolationKind {
    /// The access may read the stale write.
    StaleRead,
    /// The access may be overwritten by writes that are older in every SC execution.
    StaleWrite,
    /// The access may read the stale write and replace it.
    StaleRmw,
}

/// The values that would let the program go on.
#[derive(Clone, Copy)]
enum Accept {
    Any,
    Exactly(u64),
    AllBut(u64),
}

impl Accept {
    fn accepts(self, value: u64) -> bool {
        match self {
            Accept::Any => true,
            Accept::Exactly(v) => v == value,
            Accept::AllBut(v) => v != value,
        }
    }
}

impl Attempt {
    /// Appendix A, "Robustness Check"; with `psc`, the rule of the crate's documentation.
    #[inline(always)]
    pub(crate) fn check(self, thread: &ThreadState, slot: u16, x: &LocationState, psc: bool) -> Option<Violation> {
        let newest = x.history.newest();
        // The common case: the thread is hb-aware of the last write, or was itself the last here.
        if x.history.last_slot() == slot || thread.current.get(newest.event.slot()) >= newest.event.number() {
            return None;
        }
        self.check_unaware(thread, slot, x, psc)
    }

    #[inline(never)]
    fn check_unaware(self, thread: &ThreadState, slot: u16, x: &LocationState, psc: bool) -> Option<Violation> {
        use Accept::{AllBut, Any, Exactly};
        use ViolationKind::{StaleRead, StaleRmw, StaleWrite};
        let (_, number) = x.history.accessed(slot);
        if thread.sc_learnt_at <= number {
            // Since its last access here, the thread has learnt of no write.
            return None;
        }
        let test = |order, kind, accept| stale(thread, slot, x, psc, order, kind, accept);
        match self {
            Attempt::Load(order) => test(order, StaleRead, Any),
            Attempt::Store(order) => test(order, StaleWrite, Any),
            Attempt::Rmw(order) => test(order, StaleRmw, Any),
            Attempt::Wait { order, value } => test(order, StaleRead, Exactly(value)),
            Attempt::WaitNot { order, value } => test(order, StaleRead, AllBut(value)),
            Attempt::BlockingCas { order, expected } => test(order, StaleRmw, Exactly(expected)),
            Attempt::StrongCas { success, failure, expected } => {
                test(success, StaleRmw, Exactly(expected)).or_else(|| test(failure, StaleRead, AllBut(expected)))
            }
            Attempt::WeakCas { success, failure, expected } => {
                test(success, StaleRmw, Exactly(expected)).or_else(|| test(failure, StaleRead, Any))
            }
        }
    }
}

#[cold]
fn stale(
    thread: &ThreadState,
    slot: u16,
    x: &LocationState,
    psc: bool,
    order: Order,
    kind: ViolationKind,
    accept: Accept,
) -> Option<Violation> {
    let (accessed, _) = x.history.accessed(slot);
    if kind != ViolationKind::StaleRead && !x.history.may_be_unfollowed(accessed) {
        return None;
    }
    let missed = x.history.known_above(&thread.sc, accessed)?;
    let aware = x.history.aware(&thread.current, slot);
    if aware >= missed.timestamp() {
        return None;
    }
    let from = if psc && thread.psc.active { forbidden(thread, x, order, aware) } else { aware };
    let fits =
        |w: &WriteEntry| accept.accepts(w.value) && (kind == ViolationKind::StaleRead || !w.is_followed_by_rmw());
    let stale = x.history.newest_in(from, missed.timestamp(), fits)?;
    Some(Violation { missed: missed.into(), stale: stale.into(), kind })
}

/// max(T_c(τ)(x), Bad): before which writes the access must not come.
fn forbidden(thread: &ThreadState, x: &LocationState, order: Order, aware: u64) -> u64 {
    let psc = &thread.psc;
    let mut newest = x.history.forbidden_above(&psc.fences.current, true, aware);
    if order.is_sc() {
        newest = x.history.forbidden_above(&psc.before, false, newest);
        // The thread's last event was not here: since then it has learnt something.
        newest = x.history.forbidden_above(&psc.left.current, false, newest);
    }
    newest
}
