use std::fmt;

use fencepost_program::{Address, LabelKind, Ordering, Span, Value};

/// An index into the events of one [`crate::Graph`], in the order in which they were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventId(pub u32);

impl EventId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Paper 001 Def. 2.2. `AwaitRead` is R*: a read by `wait` or by a failed CAS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventKind {
    Read,
    AwaitRead,
    Write,
    Rmw,
    Fence,
}

impl From<LabelKind> for EventKind {
    fn from(kind: LabelKind) -> EventKind {
        match kind {
            LabelKind::Read => EventKind::Read,
            LabelKind::AwaitRead => EventKind::AwaitRead,
            LabelKind::Write => EventKind::Write,
            LabelKind::Rmw => EventKind::Rmw,
        }
    }
}

/// The location that SC fences read and write in the models that explain a fence so: f of paper 001 §3.1.
pub const SC_FENCE_CELL: Address = Address(u64::MAX);

/// What an event did (paper 001 Def. 2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventLabel {
    pub kind: EventKind,
    /// `None` for a fence that touches no location.
    pub address: Option<Address>,
    pub order: Ordering,
    pub read: Option<Value>,
    pub written: Option<Value>,
}

impl EventLabel {
    pub fn read(order: Ordering, at: Address, value: Value) -> EventLabel {
        EventLabel { kind: EventKind::Read, address: Some(at), order, read: Some(value), written: None }
    }

    pub fn await_read(order: Ordering, at: Address, value: Value) -> EventLabel {
        EventLabel { kind: EventKind::AwaitRead, ..EventLabel::read(order, at, value) }
    }

    pub fn write(order: Ordering, at: Address, value: Value) -> EventLabel {
        EventLabel { kind: EventKind::Write, address: Some(at), order, read: None, written: Some(value) }
    }

    pub fn rmw(order: Ordering, at: Address, read: Value, written: Value) -> EventLabel {
        EventLabel { kind: EventKind::Rmw, address: Some(at), order, read: Some(read), written: Some(written) }
    }

    pub fn fence(order: Ordering) -> EventLabel {
        EventLabel { kind: EventKind::Fence, address: None, order, read: None, written: None }
    }

    /// An SC fence as `fence(acq); f.FADD(0, acqrel); fence(rel)` (paper 001 §3.1), in one event that is an RMW of f
    /// and counts as a fence too. Nothing can come between the three, so one event has the same hb to the others.
    pub fn sc_fence_rmw() -> EventLabel {
        EventLabel::rmw(Ordering::SeqCst, SC_FENCE_CELL, 0, 0)
    }
}

impl fmt::Display for EventLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.address.map_or(0, |a| a.0);
        let order = self.order;
        match (self.kind, self.read, self.written) {
            _ if self.address == Some(SC_FENCE_CELL) => write!(f, "F({order})"),
            (EventKind::Fence, ..) => write!(f, "F({order})"),
            (EventKind::Rmw, Some(r), Some(w)) => write!(f, "RMW({order}, {at}, {r}, {w})"),
            (EventKind::AwaitRead, Some(r), _) => write!(f, "R*({order}, {at}, {r})"),
            (_, Some(r), _) => write!(f, "R({order}, {at}, {r})"),
            (_, None, w) => write!(f, "W({order}, {at}, {})", w.unwrap_or(0)),
        }
    }
}

/// A node of an execution graph (paper 001 Def. 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// `None` for an initialisation event.
    pub thread: Option<u32>,
    /// The event's place in its thread, from 0.
    pub serial: u32,
    pub label: EventLabel,
    pub span: Span,
    /// Something depends on the value that it read: the event is in dom(dp) of paper 001 §4.1.
    pub used: bool,
}

impl Event {
    pub fn is_initial(&self) -> bool {
        self.thread.is_none()
    }

    /// In the papers' set R: reads, R* and RMWs.
    pub fn reads(&self) -> bool {
        matches!(self.label.kind, EventKind::Read | EventKind::AwaitRead | EventKind::Rmw)
    }

    /// In the papers' set W: writes and RMWs.
    pub fn writes(&self) -> bool {
        matches!(self.label.kind, EventKind::Write | EventKind::Rmw)
    }

    /// In the papers' set F, which includes an SC fence that is kept as an RMW.
    pub fn is_fence(&self) -> bool {
        self.label.kind == EventKind::Fence || self.label.address == Some(SC_FENCE_CELL)
    }

    pub fn is_rmw(&self) -> bool {
        self.label.kind == EventKind::Rmw
    }

    pub fn is_atomic(&self) -> bool {
        self.label.order.is_atomic()
    }
}
