//! The names of the orderings in `.fp`, and which access takes which.

use fencepost_program::Ordering;

const LONG_NAMES: &[(&str, Ordering)] = &[
    ("relaxed", Ordering::Relaxed),
    ("acquire", Ordering::Acquire),
    ("release", Ordering::Release),
    ("acq_rel", Ordering::AcqRel),
    ("seq_cst", Ordering::SeqCst),
];

pub(crate) fn ordering(word: &str) -> Option<Ordering> {
    let long = LONG_NAMES.iter().find(|(name, _)| *name == word).map(|(_, order)| *order);
    Ordering::ALL.into_iter().find(|order| order.name() == word).or(long)
}

pub(crate) fn is_ordering(word: &str) -> bool {
    ordering(word).is_some()
}

/// What an ordering is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Load,
    Store,
    Update,
    /// The failure ordering of a CAS.
    Failure,
    Wait,
    Fence,
}

impl Role {
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Role::Load => "a load",
            Role::Store => "a store",
            Role::Update => "a read-modify-write",
            Role::Failure => "a failed CAS",
            Role::Wait => "a wait",
            Role::Fence => "a fence",
        }
    }

    /// What it may be on an atomic location.
    pub(crate) fn allowed(self) -> &'static [Ordering] {
        use Ordering::*;
        match self {
            Role::Load | Role::Failure | Role::Wait => &[Relaxed, Acquire, SeqCst],
            Role::Store => &[Relaxed, Release, SeqCst],
            Role::Update => &[Relaxed, Acquire, Release, AcqRel, SeqCst],
            Role::Fence => &[Acquire, Release, AcqRel, SeqCst],
        }
    }
}

/// "`rlx`, `acq` or `sc`".
pub(crate) fn list(orders: &[Ordering]) -> String {
    alternatives(&orders.iter().map(|order| format!("`{order}`")).collect::<Vec<_>>())
}

/// "a, b or c".
pub(crate) fn alternatives(words: &[String]) -> String {
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => words.concat(),
    }
}
