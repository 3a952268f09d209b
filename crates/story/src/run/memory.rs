//! Memory errors in words.

use fencepost_graph::EventId;
use fencepost_program::Action;

use super::{Run, Step};
use crate::{Finding, FindingKind};

/// Misuse of memory: the steps that have a part in it. `alloc` is the allocation of the object, if it is known.
#[derive(Clone, Copy, Debug)]
pub enum MemoryError<'r> {
    /// The access does not happen before the `free`.
    UseAfterFree {
        access: &'r Step,
        free: &'r Step,
        alloc: Option<&'r Step>,
        end: LifetimeEnd,
    },
    /// Some of the bytes belong to no object; `alloc` is of the last one before them.
    OutOfBounds {
        access: &'r Step,
        alloc: Option<&'r Step>,
    },
    /// The allocation does not happen before the use. Not `confirmed` if no execution is known to show it.
    NotAllocated {
        user: &'r Step,
        alloc: Option<&'r Step>,
        confirmed: bool,
    },
    DoubleFree {
        first: &'r Step,
        second: &'r Step,
        alloc: Option<&'r Step>,
    },
    /// No object starts there.
    NoObject {
        free: &'r Step,
    },
    /// Nothing was written to what is read.
    Uninitialised {
        read: &'r Step,
        alloc: Option<&'r Step>,
    },
    /// The local variable of another thread is gone, or may be.
    Returned {
        access: &'r Step,
        owner: Option<usize>,
        end: LifetimeEnd,
    },
    /// The object was not freed, and nothing points to it any more.
    Leak {
        alloc: &'r Step,
    },
}

/// When the lifetime of an object ends, as seen from an access to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LifetimeEnd {
    /// The end happens before the access.
    Before,
    /// The end comes before the access in the order of steps.
    Earlier,
    /// Nothing orders the two.
    Unordered,
}

/// The parts of a finding that differ from error to error.
struct Words<'r> {
    kind: FindingKind,
    message: String,
    /// The step to look at first in front.
    roles: Vec<(&'r Step, &'static str)>,
    why: &'static str,
}

impl Run<'_> {
    pub fn memory_error(&self, error: MemoryError) -> Finding {
        let Words { kind, message, roles, why } = self.words(error);
        let highlighted: Vec<EventId> = roles.iter().filter_map(|(step, _)| step.event).collect();
        Finding {
            accesses: roles.iter().map(|(step, role)| self.site(step, role)).collect(),
            explanation: std::iter::once(why.to_owned()).chain(self.reused_memory()).collect(),
            confirmed: !matches!(error, MemoryError::NotAllocated { confirmed: false, .. }),
            ..self.finding(kind, message, &highlighted, &[])
        }
    }

    fn words<'r>(&self, error: MemoryError<'r>) -> Words<'r> {
        let name = |step: &Step| self.names.thread_name(step.thread);
        let allocates = |alloc: Option<&'r Step>| alloc.map(|alloc| (alloc, "allocates it"));
        match error {
            MemoryError::UseAfterFree { access, free, alloc, end } => {
                let freed = match end {
                    LifetimeEnd::Unordered => format!("{} may have freed", name(free)),
                    _ => self.did(free, access, "freed"),
                };
                Words {
                    kind: FindingKind::UseAfterFree,
                    message: format!("{} accesses memory that {freed}", name(access)),
                    roles: roles([(access, "accesses it"), (free, "frees it")], allocates(alloc)),
                    why: match end {
                        LifetimeEnd::Before => "The `free` happens before the access.",
                        LifetimeEnd::Earlier => "The `free` comes before the access in this run.",
                        LifetimeEnd::Unordered => {
                            "The access and the `free` are concurrent: nothing orders the access before the `free`."
                        }
                    },
                }
            }
            MemoryError::OutOfBounds { access, alloc } => {
                let object = alloc.and_then(|alloc| match alloc.action {
                    Action::Alloc { pointer, size, .. } => Some((access.pointer()?.saturating_sub(pointer), size)),
                    _ => None,
                });
                let what = match object {
                    Some((offset, size)) => format!("offset {offset} of an object of {size} bytes"),
                    None => "memory that was not allocated".to_owned(),
                };
                Words {
                    kind: FindingKind::OutOfBounds,
                    message: format!("{} accesses {what}", name(access)),
                    roles: roles([(access, "accesses memory outside it")], alloc.map(|alloc| (alloc, "allocates"))),
                    why: "No object on the heap contains all of these bytes.",
                }
            }
            MemoryError::NotAllocated { user, alloc, confirmed: _ } => {
                let owner = alloc.map_or("its owner".to_owned(), name);
                Words {
                    kind: FindingKind::UseAfterFree,
                    message: format!("{} uses memory that {owner} may not have allocated yet", name(user)),
                    roles: roles([(user, "uses it")], allocates(alloc)),
                    why: "Nothing orders the allocation before the use. It must happen before the use, along program \
                          order and synchronisation.",
                }
            }
            MemoryError::DoubleFree { first, second, alloc } => Words {
                kind: FindingKind::InvalidFree,
                message: format!("{} frees memory that {}", name(second), self.did(first, second, "freed")),
                roles: roles([(second, "frees it"), (first, "frees it too")], allocates(alloc)),
                why: "An object on the heap can be freed once.",
            },
            MemoryError::NoObject { free } => {
                let place = free.pointer().map(|pointer| self.names.pointer_name(pointer)).unwrap_or_default();
                Words {
                    kind: FindingKind::InvalidFree,
                    message: format!("{} frees {place}, where no object starts", name(free)),
                    roles: vec![(free, "frees it")],
                    why: "Only pointers from `malloc` and similar functions can be freed.",
                }
            }
            MemoryError::Uninitialised { read, alloc } => Words {
                kind: FindingKind::UninitialisedRead,
                message: format!("{} reads uninitialised memory", name(read)),
                roles: roles([(read, "reads it")], allocates(alloc)),
                why: "No write to this memory happens before the read.",
            },
            MemoryError::Returned { access, owner, end } => {
                let owner = owner.map_or("another thread".to_owned(), |owner| self.names.thread_name(owner));
                let (has, why) = match end {
                    LifetimeEnd::Unordered => {
                        ("may have", "Nothing orders the access before the return of the variable's function.")
                    }
                    _ => ("has", "Its function has returned in this run, or its thread has ended."),
                };
                Words {
                    kind: FindingKind::UseAfterFree,
                    message: format!(
                        "{} accesses a local variable of {owner} whose lifetime {has} ended",
                        name(access)
                    ),
                    roles: vec![(access, "accesses it")],
                    why,
                }
            }
            MemoryError::Leak { alloc } => {
                let size = if let Action::Alloc { size, .. } = alloc.action { size } else { 0 };
                Words {
                    kind: FindingKind::Leak,
                    message: format!("{} leaks {size} bytes", name(alloc)),
                    roles: vec![(alloc, "allocates them")],
                    why: "At the end they are not freed, and nothing reachable from a global variable points to them.",
                }
            }
        }
    }

    /// "main freed", or "it has freed" if the sentence is about that thread.
    fn did(&self, step: &Step, subject: &Step, participle: &str) -> String {
        match step.thread == subject.thread {
            true => format!("it has {participle}"),
            false => format!("{} {participle}", self.names.thread_name(step.thread)),
        }
    }
}

fn roles<'r, const N: usize>(
    these: [(&'r Step, &'static str); N],
    last: Option<(&'r Step, &'static str)>,
) -> Vec<(&'r Step, &'static str)> {
    these.into_iter().chain(last).collect()
}
