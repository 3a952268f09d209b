//! Where threads may be: inside of sections or outside.

use fencepost_llvm::{Callee, ConstantId, Instruction, LocalId, Module, Op, Operand, Symbol};
use hashbrown::{HashMap, HashSet};

use super::accesses::{Location, View};
use super::{BEGIN, END, INSIDE, Id, OUTSIDE, Places, WROTE, begins, ends, is_atomic_function};
use crate::c::escape::{Escapes, Storage, for_each_operand};
use crate::c::link::{Definition, Linked};
use crate::c::reach::for_each_symbol;

/// Finds where threads may be, from the start of each function that something enters.
pub(super) struct Flow<'f, 'm> {
    linked: &'f Linked<'m>,
    library: usize,
    synchronising: &'f HashSet<Id>,
    escapes: &'f mut Escapes,
    thread_locals: &'f HashSet<Id>,
    pub storages: HashMap<Id, HashMap<LocalId, Storage>>,
    /// By function and the one place in which it is entered: the places in front of its instructions, and at its end.
    pub places: HashMap<(Id, Places), Vec<Vec<Places>>>,
    ends: HashMap<(Id, Places), Places>,
    /// What pointers may call.
    pointed: Vec<Id>,
    /// There are exceptions.
    throws: bool,
    /// A section may begin within another.
    nests: bool,
    changed: bool,
}

impl<'f, 'm> Flow<'f, 'm> {
    pub(super) fn new(
        linked: &'f Linked<'m>,
        library: usize,
        synchronising: &'f HashSet<Id>,
        escapes: &'f mut Escapes,
        thread_locals: &'f HashSet<Id>,
    ) -> Flow<'f, 'm> {
        let pointed = pointed_functions(linked, library);
        let mut flow = Flow {
            linked,
            library,
            synchronising,
            escapes,
            thread_locals,
            storages: HashMap::new(),
            places: HashMap::new(),
            ends: HashMap::new(),
            pointed,
            throws: linked.named("__cxa_throw").is_some(),
            nests: false,
            changed: false,
        };
        // Threads, signal handlers and what runs at the end are pointed to.
        let main = match linked.named("main") {
            Some(Definition::Function(m, i)) => Some((m, i)),
            _ => None,
        };
        for id in flow.pointed.clone().into_iter().chain(main) {
            flow.enter(id, OUTSIDE);
        }
        flow
    }

    /// Until nothing changes.
    pub(super) fn run(&mut self) {
        loop {
            self.changed = false;
            let entries: Vec<(Id, Places)> = self.places.keys().copied().collect();
            for entry in entries {
                self.function(entry);
            }
            if !self.changed {
                return;
            }
        }
    }

    /// Enters a function in some places, and returns where it ends as far as is known.
    fn enter(&mut self, id: Id, places: Places) -> Places {
        let mut end = 0;
        for place in [OUTSIDE, WROTE[0], WROTE[1], WROTE[2]].into_iter().filter(|place| places & place != 0) {
            if !self.places.contains_key(&(id, place)) {
                let blocks = &self.linked.function(id).blocks;
                let nothing = blocks.iter().map(|block| vec![0; block.instructions.len()]).collect();
                self.places.insert((id, place), nothing);
                self.changed = true;
            }
            end |= self.ends.get(&(id, place)).copied().unwrap_or(0);
        }
        end
    }

    fn begin(&mut self, places: Places) -> Places {
        if places & INSIDE != 0 && !self.nests {
            self.nests = true;
            self.changed = true;
        }
        places & INSIDE | if places & OUTSIDE != 0 { WROTE[0] } else { 0 }
    }

    fn end(&self, places: Places) -> Places {
        let inside = if self.nests { places & INSIDE } else { 0 };
        inside | if places != 0 { OUTSIDE } else { 0 }
    }

    fn function(&mut self, entry: (Id, Places)) {
        let (id, place) = entry;
        let linked = self.linked;
        let function = linked.function(id);
        let is_section = is_atomic_function(linked.modules[id.0].name(function.name));
        let storage = match self.storages.get(&id) {
            Some(known) => known.clone(),
            None => {
                let storage = self.escapes.storage(linked, id);
                self.storages.insert(id, storage.clone());
                storage
            }
        };
        let view = View { linked, id, storage: &storage, thread_locals: self.thread_locals };
        let mut at_start: Vec<Places> = vec![0; function.blocks.len()];
        if let Some(first) = at_start.first_mut() {
            *first = if is_section { self.begin(place) } else { place };
        }
        let mut todo: Vec<usize> = (0..function.blocks.len().min(1)).collect();
        let mut found = self.places[&entry].clone();
        let mut end = self.ends.get(&entry).copied().unwrap_or(0);
        while let Some(b) = todo.pop() {
            let mut places = at_start[b];
            for (i, instruction) in function.blocks[b].instructions.iter().enumerate() {
                if found[b][i] | places != found[b][i] {
                    found[b][i] |= places;
                    self.changed = true;
                }
                let before = places;
                places = self.after(&view, instruction, places);
                // With exceptions, a function is left by calls too.
                let left = match instruction.op {
                    Op::Ret { .. } | Op::Resume { .. } => before,
                    Op::Call(..) | Op::Invoke { .. } if self.throws => before | places,
                    _ => 0,
                };
                let all = end | if is_section { self.end(left) } else { left };
                self.changed |= all != end;
                end = all;
            }
            let Some(last) = function.blocks[b].instructions.last() else { continue };
            for target in successors(&last.op) {
                if at_start[target] | places != at_start[target] {
                    at_start[target] |= places;
                    todo.push(target);
                }
            }
        }
        self.places.insert(entry, found);
        self.ends.insert(entry, end);
    }

    /// The places behind an instruction.
    fn after(&mut self, view: &View, instruction: &Instruction, places: Places) -> Places {
        if places == 0 {
            return 0;
        }
        let mut places = places;
        if places & INSIDE != 0 {
            view.for_each_access(instruction, |access| {
                if access.writes && access.location != Location::Private {
                    let wrote = |first: Places, second: Places| if places & first != 0 { second } else { 0 };
                    places = match access.many {
                        true => places & OUTSIDE | WROTE[2],
                        false => {
                            places & OUTSIDE
                                | wrote(WROTE[0], WROTE[1])
                                | wrote(WROTE[1], WROTE[2])
                                | wrote(WROTE[2], WROTE[2])
                        }
                    };
                }
            });
        }
        let (Op::Call(call) | Op::Invoke { call, .. }) = &instruction.op else { return places };
        let m = view.id.0;
        match call.callee {
            Callee::Symbol(name) => self.after_call(m, name, places),
            Callee::Local(_) | Callee::Constant(_) => {
                let mut after = 0;
                for i in 0..self.pointed.len() {
                    after |= self.enter(self.pointed[i], places);
                }
                after | places
            }
            Callee::Asm { .. } => places,
        }
    }

    fn after_call(&mut self, m: usize, name: Symbol, places: Places) -> Places {
        let text = self.linked.modules[m].name(name);
        if begins(text) || text == BEGIN {
            return self.begin(places);
        }
        if ends(text) || text == END {
            return self.end(places);
        }
        match self.linked.resolve(m, name) {
            Some(Definition::Function(fm, fi)) if self.linked.function((fm, fi)).is_defined() => {
                // What synchronises is not called inside of a section.
                if fm >= self.library && self.synchronising.contains(&(fm, fi)) {
                    return self.enter((fm, fi), places & OUTSIDE);
                }
                self.enter((fm, fi), places)
            }
            _ => places,
        }
    }
}

fn successors(op: &Op) -> Vec<usize> {
    let targets: Vec<_> = match op {
        Op::Br { target } => vec![*target],
        Op::CondBr { yes, no, .. } => vec![*yes, *no],
        Op::Switch { default, cases, .. } => cases.iter().map(|&(_, target)| target).chain([*default]).collect(),
        Op::IndirectBr { targets, .. } => targets.iter().map(|&(_, target)| target).collect(),
        Op::Invoke { normal, unwind, .. } => vec![*normal, *unwind],
        _ => Vec::new(),
    };
    targets.into_iter().map(|target| target.0 as usize).collect()
}

/// The functions of the program whose address is taken.
fn pointed_functions(linked: &Linked, library: usize) -> Vec<Id> {
    let mut found = HashSet::new();
    for (m, module) in linked.modules.iter().enumerate().take(library) {
        let mut names = HashSet::new();
        for global in &module.globals {
            global.init.iter().for_each(|&init| mentioned(module, init, &mut names));
        }
        for instruction in module.functions.iter().flat_map(|f| &f.blocks).flat_map(|block| &block.instructions) {
            for_each_operand(&instruction.op, |operand| {
                if let Operand::Constant(id) = operand {
                    mentioned(module, *id, &mut names);
                }
            });
        }
        for name in names {
            if let Some(Definition::Function(fm, fi)) = linked.resolve(m, name)
                && linked.function((fm, fi)).is_defined()
            {
                found.insert((fm, fi));
            }
        }
    }
    let mut found: Vec<Id> = found.into_iter().collect();
    found.sort_unstable();
    found
}

fn mentioned(module: &Module, id: ConstantId, names: &mut HashSet<Symbol>) {
    for_each_symbol(module, id, &mut |name| {
        names.insert(name);
    });
}
