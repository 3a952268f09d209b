//! Atomic sections: the code between `__VERIFIER_atomic_begin` and `__VERIFIER_atomic_end`, and functions whose names
//! begin with `__VERIFIER_atomic_`. They are atomic against everything, not only against each other.
//!
//! A section holds one lock for the whole program. An access outside must not come in between two of its accesses, so
//! it takes the lock around itself if it could be seen there:
//!
//! - A write, if some section accesses its location.
//! - A read, if some section writes its location, and some section may write twice. With one write, a section is seen
//!   as one step: what reads the location before the write could as well have come before the section.
//!
//! All other accesses commute with those of the section. A plain access is left as it is if data races are looked for:
//! one that conflicts with a section is a race then, and without a race it is ordered before or after the section.
//!
//! Here is what the program tells about this without being run: which code may be inside of a section, and which memory
//! is accessed there. Code that may be both inside and outside finds out where it is when it runs.

mod accesses;
mod flow;
mod lowering;

use fencepost_llvm::{Callee, Instruction, LocalId, Module, Op};
use hashbrown::{HashMap, HashSet};

use super::escape::{Escapes, Storage};
use super::link::{Definition, Linked};
use accesses::{Location, Memory, View, pointed_globals, private_thread_locals};
use flow::Flow;

/// The functions of the library that begin and end a section.
pub(super) const BEGIN: &str = "__fencepost_begin_section";
pub(super) const END: &str = "__fencepost_end_section";
/// How deep a thread is within sections.
pub(super) const DEPTH: &str = "__fencepost_section_depth";

pub(super) fn begins(name: &str) -> bool {
    matches!(name, "__VERIFIER_atomic_begin" | "__CPROVER_atomic_begin" | "__ESBMC_atomic_begin")
}

pub(super) fn ends(name: &str) -> bool {
    matches!(name, "__VERIFIER_atomic_end" | "__CPROVER_atomic_end" | "__ESBMC_atomic_end")
}

fn is_atomic_function(name: &str) -> bool {
    name.starts_with("__VERIFIER_atomic_") && !begins(name) && !ends(name)
}

/// Primitives that wait.
pub(super) fn waits(name: &str) -> bool {
    name.starts_with("__fencepost_wait") || matches!(name, "__fencepost_bcas" | "__fencepost_add_when_ge")
}

/// Primitives that wait, or that other threads wait for.
fn synchronises(name: &str) -> bool {
    waits(name) || matches!(name, "__fencepost_spawn" | "__fencepost_exit_thread")
}

/// Where a thread may be: outside of all sections, or in one in which it has written so often.
type Places = u8;
const OUTSIDE: Places = 1;
const WROTE: [Places; 3] = [2, 4, 8];
const INSIDE: Places = 2 | 4 | 8;

type Id = (usize, usize);

/// Whether an instruction may run outside of all sections and inside of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Whereabouts {
    pub outside: bool,
    pub inside: bool,
}

/// Which accesses of an instruction take the lock around themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Guard {
    pub reads: bool,
    pub writes: bool,
    /// Also those that are plain.
    pub plain: bool,
    /// Only if the thread is in no section.
    pub asks: bool,
}

/// The sections of a program.
pub(super) struct Sections {
    /// By function and entry, the places in front of each instruction of each block.
    places: HashMap<Id, Vec<Vec<Places>>>,
    /// What sections access, and what they write.
    accessed: Memory,
    written: Memory,
    /// Some section may write twice.
    writes_twice: bool,
    /// The globals that pointers may point to.
    pointed: HashSet<Id>,
    /// Functions of the library that synchronise with other threads.
    synchronising: HashSet<Id>,
    thread_locals: HashSet<Id>,
    races: bool,
}

impl Sections {
    /// The sections, if the program has any. Modules from `library` on are ours. `races`: data races are looked for.
    pub(super) fn of(linked: &Linked, library: usize, escapes: &mut Escapes, races: bool) -> Option<Sections> {
        if !linked.modules[..library].iter().any(|module| has_sections(module)) {
            return None;
        }
        let mut sections = Sections {
            places: HashMap::new(),
            accessed: Memory::default(),
            written: Memory::default(),
            writes_twice: false,
            pointed: pointed_globals(linked, library),
            synchronising: synchronising(linked, library),
            thread_locals: private_thread_locals(linked, escapes),
            races,
        };
        let mut flow = Flow::new(linked, library, &sections.synchronising, escapes, &sections.thread_locals);
        flow.run();
        for ((id, _), places) in flow.places {
            let all =
                sections.places.entry(id).or_insert_with(|| places.iter().map(|block| vec![0; block.len()]).collect());
            for (all, places) in all.iter_mut().flatten().zip(places.into_iter().flatten()) {
                *all |= places;
            }
        }
        let storages = flow.storages;
        for (&id, places) in &sections.places {
            let view = View { linked, id, storage: &storages[&id], thread_locals: &sections.thread_locals };
            let instructions = linked.function(id).blocks.iter().flat_map(|block| &block.instructions);
            for (instruction, places) in instructions.zip(places.iter().flatten()) {
                sections.writes_twice |= places & WROTE[2] != 0;
                if places & INSIDE == 0 {
                    continue;
                }
                view.for_each_access(instruction, |access| {
                    sections.accessed.insert(access.location);
                    if access.writes {
                        sections.written.insert(access.location);
                    }
                });
            }
        }
        Some(sections)
    }

    /// Whether a function is a section as a whole.
    pub(super) fn is_section(&self, linked: &Linked, (m, i): Id) -> bool {
        is_atomic_function(linked.modules[m].name(linked.function((m, i)).name))
    }

    /// Where a thread may be at an instruction. What nothing is known of may be both.
    pub(super) fn whereabouts(&self, id: Id, block: usize, instruction: usize) -> Whereabouts {
        let places = self.places.get(&id).and_then(|blocks| blocks.get(block)?.get(instruction)).copied();
        match places.filter(|&places| places != 0) {
            Some(places) => Whereabouts { outside: places & OUTSIDE != 0, inside: places & INSIDE != 0 },
            None => Whereabouts { outside: true, inside: true },
        }
    }

    /// Whether a function must not be called inside of a section: it is ours, and synchronises with other threads.
    pub(super) fn must_stay_outside(&self, id: Id) -> bool {
        self.synchronising.contains(&id)
    }

    /// Which accesses of an instruction take the lock, if any.
    pub(super) fn guard(
        &self,
        linked: &Linked,
        id: Id,
        storage: &HashMap<LocalId, Storage>,
        instruction: &Instruction,
        whereabouts: Whereabouts,
    ) -> Option<Guard> {
        if !whereabouts.outside {
            return None;
        }
        let mut guard = Guard { plain: !self.races, asks: whereabouts.inside, ..Guard::default() };
        let view = View { linked, id, storage, thread_locals: &self.thread_locals };
        view.for_each_access(instruction, |access| {
            guard.writes |= self.may_be_in(access.location, &self.accessed);
            guard.reads |= self.writes_twice && self.may_be_in(access.location, &self.written);
        });
        (guard.reads || guard.writes).then_some(guard)
    }

    fn may_be_in(&self, location: Location, memory: &Memory) -> bool {
        match location {
            Location::Private => false,
            Location::Global(id) => memory.globals.contains(&id) || memory.other && self.pointed.contains(&id),
            Location::Other => memory.other || memory.globals.iter().any(|id| self.pointed.contains(id)),
        }
    }
}

fn has_sections(module: &Module) -> bool {
    module.functions.iter().any(|function| {
        let name = module.name(function.name);
        begins(name) || ends(name) || is_atomic_function(name) && function.is_defined()
    })
}

/// The functions of the library that access memory atomically, wait or start threads, themselves or through others.
fn synchronising(linked: &Linked, library: usize) -> HashSet<Id> {
    let mut found: HashSet<Id> = HashSet::new();
    loop {
        let before = found.len();
        for (m, module) in linked.modules.iter().enumerate().skip(library) {
            for (i, function) in module.functions.iter().enumerate() {
                let own = module.name(function.name).contains("_section");
                let mut instructions = function.blocks.iter().flat_map(|block| &block.instructions);
                if !own && instructions.any(|instruction| does_synchronise(linked, m, &instruction.op, &found)) {
                    found.insert((m, i));
                }
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn does_synchronise(linked: &Linked, m: usize, op: &Op, found: &HashSet<Id>) -> bool {
    match op {
        Op::CmpXchg { .. } | Op::AtomicRmw { .. } | Op::Fence { .. } => true,
        Op::Load { ordering, .. } | Op::Store { ordering, .. } => ordering.is_some(),
        Op::Call(call) | Op::Invoke { call, .. } => match call.callee {
            Callee::Symbol(name) => {
                let callee = linked.resolve(m, name);
                synchronises(linked.modules[m].name(name))
                    || matches!(callee, Some(Definition::Function(fm, fi)) if found.contains(&(fm, fi)))
            }
            _ => false,
        },
        _ => false,
    }
}
