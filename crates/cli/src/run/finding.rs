//! A report of a program, with its symbols and in words.

use fencepost_report::{Frame, NativeAccess, NativeFinding};
use fencepost_story::FindingKind;
use fencepost_wire::{Access, Kind, Operation, Report};

use super::symbols::Symbols;

/// The kind of finding that a report is, and of a robustness violation, which.
fn kind(reported: Kind) -> (FindingKind, Option<&'static str>) {
    match reported {
        Kind::Race => (FindingKind::DataRace, None),
        Kind::StaleRead | Kind::StaleWrite | Kind::StaleRmw => (FindingKind::Robustness, Some(reported.name())),
        Kind::MixedSize => (FindingKind::MixedSizes, None),
    }
}

pub fn finding(raw: &Report, symbols: &mut Symbols) -> NativeFinding {
    let accesses =
        raw.accesses.iter().map(|raw_access| access(raw_access, symbols.stack(&raw_access.stack, &raw.modules)));
    let accesses: Vec<NativeAccess> = accesses.collect();
    let message = match raw.kind {
        Kind::Race => "two accesses that nothing orders",
        Kind::StaleRead => "this access may read an older value than in any interleaving",
        Kind::StaleWrite => "this write may be ordered before a write that precedes it in every interleaving",
        Kind::StaleRmw => "this access may replace an older value than in any interleaving",
        Kind::MixedSize => "atomic accesses of different sizes overlap here: they are not checked",
    };
    let (kind, what) = kind(raw.kind);
    let fix = (kind == FindingKind::Robustness).then(|| fix(raw.accesses.first().map(|access| access.operation)));
    NativeFinding { kind, what, message: message.to_owned(), accesses, fix, process: raw.process }
}

fn access(raw: &Access, stack: Vec<Frame>) -> NativeAccess {
    // Atomics of C++ are accessed in its library; the line that matters is the caller's.
    let own = |frame: &&Frame| frame.file.as_ref().is_some_and(|file| !file.starts_with("/usr/"));
    let place = stack.iter().find(own).or_else(|| stack.iter().find(|frame| frame.file.is_some()));
    NativeAccess {
        file: place.and_then(|frame| frame.file.clone()),
        line: place.and_then(|frame| frame.line),
        thread: raw.thread,
        operation: raw.operation.name(),
        ordering: raw.ordering.map(|ordering| ordering.name()),
        atomic: raw.atomic,
        address: raw.address,
        size: raw.size,
        stack,
    }
}

/// What would forbid a robustness violation.
fn fix(operation: Option<Operation>) -> String {
    let mut fix =
        "make the write happen before this access (a release after the write, an acquire before the access); if \
                   neither thread waits for the other, use seq_cst accesses or fences in both"
            .to_owned();
    if operation == Some(Operation::Load) {
        fix += "; if this is a loop that only waits, use fencepost_wait (fencepost.h)";
    }
    fix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_kind_of_report_that_is_no_violation_breaks_no_property() {
        for reported in Kind::ALL {
            assert_eq!(kind(reported).0.property().is_some(), reported.is_violation(), "{reported:?}");
        }
    }
}
