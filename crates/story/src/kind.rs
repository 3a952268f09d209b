//! The kinds of findings and the properties that they break: one table for all engines and renderers.

use fencepost_program::Failure;

/// What an analysis may be asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    Robustness,
    Races,
    /// Also errors of the program itself, such as an index out of bounds or a use of freed memory.
    Assertions,
    Deadlocks,
}

impl Property {
    pub const ALL: [Property; 4] = [Property::Robustness, Property::Races, Property::Assertions, Property::Deadlocks];

    /// The name on the command line and in JSON. Stable.
    pub fn name(self) -> &'static str {
        match self {
            Property::Robustness => "robustness",
            Property::Races => "races",
            Property::Assertions => "assertions",
            Property::Deadlocks => "deadlocks",
        }
    }

    /// The defect that a program with this property does not have. `None` for robustness, which excludes no one defect.
    pub fn absent(self) -> Option<&'static str> {
        match self {
            Property::Robustness => None,
            Property::Races => Some("data race"),
            Property::Assertions => Some("failing assertion"),
            Property::Deadlocks => Some("deadlock"),
        }
    }
}

/// The set of properties that an engine is asked about. The search stops at the first finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties {
    /// An exploration ignores it: it visits the executions of the model itself.
    pub robustness: bool,
    pub races: bool,
    pub assertions: bool,
    pub deadlocks: bool,
}

impl Properties {
    pub const ALL: Properties = Properties { robustness: true, races: true, assertions: true, deadlocks: true };
    pub const NONE: Properties = Properties { robustness: false, races: false, assertions: false, deadlocks: false };

    fn at(&mut self, property: Property) -> &mut bool {
        match property {
            Property::Robustness => &mut self.robustness,
            Property::Races => &mut self.races,
            Property::Assertions => &mut self.assertions,
            Property::Deadlocks => &mut self.deadlocks,
        }
    }

    pub fn with(mut self, property: Property) -> Properties {
        *self.at(property) = true;
        self
    }

    pub fn without(mut self, property: Property) -> Properties {
        *self.at(property) = false;
        self
    }
}

impl Default for Properties {
    fn default() -> Properties {
        Properties::ALL
    }
}

impl FromIterator<Property> for Properties {
    fn from_iter<I: IntoIterator<Item = Property>>(properties: I) -> Properties {
        properties.into_iter().fold(Properties::NONE, Properties::with)
    }
}

/// What a headline says of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// "is not robust under rc11".
    NotRobust,
    /// "does not satisfy its condition under rc11".
    NotSatisfied,
    /// A predicate of the program, and the same of a finding that no execution confirms.
    Plain { certain: &'static str, uncertain: &'static str },
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct KindRow {
    pub kind: FindingKind,
    /// The name in JSON, SARIF and suppressions. Stable.
    pub name: &'static str,
    /// `None` if it is reported whatever was asked.
    pub property: Option<Property>,
    pub claim: Claim,
    /// The rule in SARIF: one sentence or two.
    pub rule: &'static str,
}

macro_rules! kinds {
    ($($(#[$note:meta])* $kind:ident = $name:literal, $property:expr, $claim:expr, $rule:literal;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum FindingKind {
            $($(#[$note])* $kind,)*
        }

        impl FindingKind {
            /// In the order of the rules in SARIF.
            pub const ALL: &[FindingKind] = &[$(FindingKind::$kind),*];

            pub fn row(self) -> &'static KindRow {
                const ROWS: &[KindRow] = &[$(KindRow {
                    kind: FindingKind::$kind,
                    name: $name,
                    property: $property,
                    claim: $claim,
                    rule: $rule,
                },)*];
                &ROWS[self as usize]
            }
        }
    };
}

const ROBUSTNESS: Option<Property> = Some(Property::Robustness);
const RACES: Option<Property> = Some(Property::Races);
const ASSERTIONS: Option<Property> = Some(Property::Assertions);
const DEADLOCKS: Option<Property> = Some(Property::Deadlocks);

const fn plain(certain: &'static str, uncertain: &'static str) -> Claim {
    Claim::Plain { certain, uncertain }
}

kinds! {
    /// A step that the weak model allows and SC does not.
    Robustness = "robustness", ROBUSTNESS, Claim::NotRobust,
        "The memory model allows a behaviour that no interleaving of the threads has: an ordering is too weak.";
    /// Under observational robustness: something depends on a value that SC would not have read (paper 001 §5).
    StaleDependency = "stale-dependency", ROBUSTNESS, Claim::NotRobust,
        "The program depends on a value that no interleaving of the threads would have read.";
    DataRace = "data-race", RACES, plain("has a data race", "may have a data race"),
        "Two threads access a location without order, at least one writes, and at least one access is not atomic.";
    Assertion = "assertion", ASSERTIONS, plain("has a failing assertion", "may have a failing assertion"),
        "An assertion fails.";
    Deadlock = "deadlock", DEADLOCKS, plain("can deadlock", "may deadlock"),
        "Threads wait for ever, and no thread can wake them.";
    /// Outside an array, or where no memory is.
    OutOfBounds = "out-of-bounds", ASSERTIONS, plain("has an index out of bounds", "may have an index out of bounds"),
        "An index lies outside its array.";
    /// An access to memory that does not happen before its `free`.
    UseAfterFree = "use-after-free", ASSERTIONS,
        plain("uses memory after it was freed", "may use memory after it was freed"),
        "An access to memory that was freed, or may have been.";
    /// Something is freed that is not an object on the heap, or was freed before.
    InvalidFree = "invalid-free", ASSERTIONS, plain("frees memory wrongly", "may free memory wrongly"),
        "A free of something that is not an object on the heap, or was freed before.";
    /// A read of memory to which nothing was written.
    UninitialisedRead = "uninitialised-read", ASSERTIONS,
        plain("reads uninitialised memory", "may read uninitialised memory"),
        "A read of uninitialised memory.";
    /// Memory on the heap that nothing can free any more.
    Leak = "leak", ASSERTIONS, plain("leaks memory", "may leak memory"),
        "Memory on the heap is never freed, and nothing points to it any more.";
    DivisionByZero = "division-by-zero", ASSERTIONS, plain("divides by zero", "may divide by zero"),
        "A division by zero.";
    /// The final states do not satisfy the condition of a litmus test. This is always asked.
    Condition = "condition", None, Claim::NotSatisfied,
        "The final states do not satisfy the condition of a litmus test.";
    /// Wrong use of a lock, a barrier or a condition variable.
    Misuse = "misuse", ASSERTIONS, plain("uses the C library wrongly", "may use the C library wrongly"),
        "The C library (a lock, a thread, a string to print) is used in a way that is undefined.";
    /// A quotient that does not fit its type.
    DivisionOverflow = "division-overflow", ASSERTIONS,
        plain("divides the smallest integer by -1", "may divide the smallest integer by -1"),
        "The smallest integer of a type is divided by -1, which overflows.";
    /// A write to a string literal or another constant.
    ConstantWrite = "constant-write", ASSERTIONS, plain("writes to constant memory", "may write to constant memory"),
        "A write to a string literal or another constant.";
    /// Of a native run: atomic accesses of different sizes overlap, and are not checked.
    MixedSizes = "mixed-sizes", None, plain("has overlapping atomic accesses of different sizes", ""),
        "Atomic accesses of different sizes overlap, and are not checked.";
}

impl FindingKind {
    /// The name in JSON and SARIF. Stable.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// What a report calls one: "data race", "robustness violation".
    pub fn noun(self) -> String {
        match self {
            FindingKind::Robustness => "robustness violation".to_owned(),
            _ => self.name().replace('-', " "),
        }
    }

    /// The property that such a finding breaks; `None` if it is reported whatever was asked.
    pub fn property(self) -> Option<Property> {
        self.row().property
    }

    /// The kind of a finding in which a thread fails.
    pub fn of_failure(failure: Failure) -> FindingKind {
        match failure {
            Failure::OutOfBounds { .. } | Failure::InvalidAccess { .. } | Failure::MisalignedAccess { .. } => {
                FindingKind::OutOfBounds
            }
            Failure::DivisionByZero => FindingKind::DivisionByZero,
            Failure::DivisionOverflow => FindingKind::DivisionOverflow,
            Failure::ConstantWrite { .. } => FindingKind::ConstantWrite,
            Failure::Unassigned => FindingKind::UninitialisedRead,
            Failure::Misuse(_) => FindingKind::Misuse,
            Failure::InvalidFree { .. } => FindingKind::InvalidFree,
            _ => FindingKind::Assertion,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_own_name_and_words() {
        let names: std::collections::BTreeSet<&str> = FindingKind::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(names.len(), FindingKind::ALL.len());
        for kind in FindingKind::ALL {
            assert_eq!(kind.row().kind, *kind);
            assert!(kind.row().rule.ends_with('.'), "{kind:?}");
        }
    }

    #[test]
    fn a_set_of_properties_has_what_was_put_into_it() {
        assert_eq!(Property::ALL.into_iter().collect::<Properties>(), Properties::ALL);
        assert_eq!(Properties::ALL.without(Property::Races).with(Property::Races), Properties::ALL);
        assert!(!Properties::NONE.with(Property::Races).deadlocks);
    }
}
