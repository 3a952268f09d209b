//! Which definition a name stands for, over several modules, by the rules of a linker.
//!
//! The modules of the user come first and are a program; those of our library are what a linker would find in shared
//! libraries. So a definition of the user replaces ours, also for the library itself where it is shared
//! ([`is_shared`]).

use fencepost_llvm::{Alias, ConstantKind, Function, Global, Linkage, Module, Selection, Symbol};
use hashbrown::{HashMap, HashSet};

/// A function or a global variable: the number of its module, and its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Definition {
    Function(usize, usize),
    Global(usize, usize),
}

/// How much a definition counts, the least first. The first of the strongest wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// The same is defined in another module, or should be.
    Copy,
    Weak,
    Common,
    Strong,
}

/// Names that other modules can see.
#[derive(Default)]
struct Names<'m> {
    defined: HashMap<&'m str, (Strength, Definition)>,
    /// Declarations of what nothing defines: one stands for all, so that an address is the same everywhere.
    declared: HashMap<&'m str, Definition>,
    /// Names that are defined more than once.
    clashes: Vec<(&'m str, Definition, Definition)>,
}

/// Modules that make one program.
pub(super) struct Linked<'m> {
    pub modules: Vec<&'m Module>,
    /// How many modules are the user's; the others are ours.
    users: usize,
    /// What each module itself defines or declares, and whether only it knows the name.
    own: Vec<HashMap<Symbol, (Definition, bool)>>,
    user: Names<'m>,
    library: Names<'m>,
    /// Functions that are chosen when the program starts.
    resolved: HashSet<&'m str>,
    /// The largest alignment of the tentative definitions of a name.
    alignments: HashMap<Definition, u64>,
    discarded: HashSet<Definition>,
}

/// Names by which the library, too, means what the program defines: functions that a program may define itself
/// (C++17 20.5.4.6; malloc of glibc), and all of C++, where what is inline is one object for all. Other functions of
/// the library call each other whatever the program defines.
fn is_shared(name: &str) -> bool {
    const ALLOCATION: [&str; 7] =
        ["malloc", "calloc", "realloc", "free", "aligned_alloc", "memalign", "posix_memalign"];
    name.starts_with("_Z") || ALLOCATION.contains(&name)
}

impl<'m> Linked<'m> {
    /// The first `users` modules are the user's.
    pub(super) fn new(modules: Vec<&'m Module>, users: usize) -> Linked<'m> {
        let mut linked = Linked {
            modules,
            users,
            own: Vec::new(),
            user: Names::default(),
            library: Names::default(),
            resolved: HashSet::new(),
            alignments: HashMap::new(),
            discarded: HashSet::new(),
        };
        let mut groups: HashMap<&'m str, usize> = HashMap::new();
        for m in 0..linked.modules.len() {
            linked.discard(m, &mut groups);
            linked.enter(m);
        }
        linked
    }

    /// A group of definitions that an earlier module has too is not taken from this one.
    fn discard(&mut self, m: usize, groups: &mut HashMap<&'m str, usize>) {
        let module = self.modules[m];
        let lost: HashSet<Symbol> = module
            .comdats
            .iter()
            .filter(|(name, how)| *how == Selection::Any && *groups.entry(module.name(*name)).or_insert(m) != m)
            .map(|&(name, _)| name)
            .collect();
        let is_lost = |comdat: Option<Symbol>| comdat.is_some_and(|comdat| lost.contains(&comdat));
        let globals = module.globals.iter().map(|global| global.comdat).enumerate();
        let globals = globals.filter(|&(_, comdat)| is_lost(comdat)).map(|(i, _)| Definition::Global(m, i));
        let functions = module.functions.iter().map(|function| function.comdat).enumerate();
        let functions = functions.filter(|&(_, comdat)| is_lost(comdat)).map(|(i, _)| Definition::Function(m, i));
        self.discarded.extend(globals.chain(functions));
    }

    /// Enters the names of a module.
    fn enter(&mut self, m: usize) {
        let module = self.modules[m];
        let mut own = HashMap::new();
        let globals = module
            .globals
            .iter()
            .enumerate()
            .map(|(i, global)| (global.name, global.linkage, global.init.is_some(), Definition::Global(m, i)));
        let functions =
            module.functions.iter().enumerate().map(|(i, function)| {
                (function.name, function.linkage, function.is_defined(), Definition::Function(m, i))
            });
        for (name, linkage, is_defined, definition) in globals.chain(functions) {
            own.insert(name, (definition, linkage == Linkage::Local));
            self.offer(m, name, linkage, is_defined, definition);
        }
        for alias in &module.aliases {
            if alias.resolved {
                self.resolved.insert(module.name(alias.name));
            } else if let Some(definition) = target(module, alias, &own) {
                own.insert(alias.name, (definition, alias.linkage == Linkage::Local));
                self.offer(m, alias.name, alias.linkage, true, definition);
            }
        }
        self.own.push(own);
    }

    /// Lets other modules know a name.
    fn offer(&mut self, m: usize, name: Symbol, linkage: Linkage, is_defined: bool, definition: Definition) {
        let (modules, discarded) = (&self.modules, self.discarded.contains(&definition));
        let name = modules[m].name(name);
        let names = if m < self.users { &mut self.user } else { &mut self.library };
        let strength = match linkage {
            Linkage::Local | Linkage::Appending => return,
            _ if !is_defined => {
                let known = names.declared.entry(name).or_insert(definition);
                if linkage != Linkage::ExternWeak && is_weak(modules, *known) {
                    *known = definition;
                }
                return;
            }
            _ if discarded => Strength::Copy,
            Linkage::AvailableExternally => Strength::Copy,
            Linkage::Weak => Strength::Weak,
            Linkage::Common => Strength::Common,
            Linkage::ExternWeak | Linkage::External => Strength::Strong,
        };
        let Some((before, known)) = names.defined.get_mut(name) else {
            names.defined.insert(name, (strength, definition));
            return;
        };
        if strength == Strength::Common && *before == Strength::Common {
            let alignment = alignment(modules, definition).max(alignment(modules, *known));
            if size(modules, definition) > size(modules, *known) {
                *known = definition;
            }
            self.alignments.insert(*known, alignment);
        } else if strength == Strength::Strong && *before == Strength::Strong {
            if *known != definition {
                names.clashes.push((name, *known, definition));
            }
        } else if strength > *before {
            (*before, *known) = (strength, definition);
        }
    }

    /// Names with two definitions of which neither gives way, which no linker takes.
    pub(super) fn clashes(&self) -> &[(&'m str, Definition, Definition)] {
        &self.user.clashes
    }

    /// A variable that is thread-local in one module of the user and not in another.
    pub(super) fn mixed_thread_local(&self) -> Option<(&'m str, Definition, Definition)> {
        for (m, module) in self.modules.iter().enumerate().take(self.users) {
            for (i, global) in module.globals.iter().enumerate() {
                if let Some(found @ Definition::Global(dm, di)) = self.resolve(m, global.name)
                    && self.global((dm, di)).thread_local != global.thread_local
                {
                    return Some((module.name(global.name), found, Definition::Global(m, i)));
                }
            }
        }
        None
    }

    pub(super) fn function(&self, (m, i): (usize, usize)) -> &'m Function {
        &self.modules[m].functions[i]
    }

    pub(super) fn global(&self, (m, i): (usize, usize)) -> &'m Global {
        &self.modules[m].globals[i]
    }

    pub(super) fn alignment(&self, at: (usize, usize)) -> u64 {
        let merged = self.alignments.get(&Definition::Global(at.0, at.1)).copied();
        merged.unwrap_or_default().max(self.global(at).alignment)
    }

    /// Whether a module has a function of this name, if only as a declaration.
    pub(super) fn mentions(&self, name: &str) -> bool {
        let has = |module: &&Module| module.functions.iter().any(|function| module.name(function.name) == name);
        self.modules.iter().any(has)
    }

    /// The definition of a name in a module, or else a declaration.
    pub(super) fn resolve(&self, m: usize, name: Symbol) -> Option<Definition> {
        let own = self.own[m].get(&name).copied();
        if let Some((definition, true)) = own {
            return Some(definition);
        }
        let text = self.modules[m].name(name);
        let defined = |names: &Names<'_>| names.defined.get(text).map(|&(_, definition)| definition);
        let found = match m < self.users || is_shared(text) {
            true => self.named(text),
            false => defined(&self.library).or_else(|| defined(&self.user)),
        };
        let declared = || self.user.declared.get(text).or_else(|| self.library.declared.get(text)).copied();
        found.or_else(declared).or(own.map(|(definition, _)| definition))
    }

    /// What the program knows by this name.
    pub(super) fn named(&self, name: &str) -> Option<Definition> {
        let (user, library) = (self.user.defined.get(name), self.library.defined.get(name));
        let found = match (user, library) {
            // A copy of what the library has.
            (Some((Strength::Copy, _)), Some(library)) => Some(library),
            (user, library) => user.or(library),
        };
        found.map(|&(_, definition)| definition)
    }

    /// What our library has by this name, whatever the program defines.
    pub(super) fn library_named(&self, name: &str) -> Option<Definition> {
        self.library.defined.get(name).map(|&(_, definition)| definition)
    }

    /// Whether a function is chosen when the program starts (`ifunc`), by code that has not run.
    pub(super) fn is_chosen_at_start(&self, name: &str) -> bool {
        self.resolved.contains(name) && self.named(name).is_none()
    }

    /// Whether a module has something that another module's stands for.
    pub(super) fn is_discarded(&self, m: usize, name: Symbol) -> bool {
        self.own[m].get(&name).is_some_and(|(definition, _)| self.discarded.contains(definition))
    }

    /// Whether a definition or declaration is the one that its own module means by its name. Others are at most
    /// known by an alias.
    pub(super) fn is_meant(&self, definition: Definition) -> bool {
        let (m, name) = match definition {
            Definition::Function(m, i) => (m, self.function((m, i)).name),
            Definition::Global(m, i) => (m, self.global((m, i)).name),
        };
        self.resolve(m, name) == Some(definition)
    }
}

/// What an alias stands for: in its own module, whatever the name of the target means elsewhere.
fn target(module: &Module, alias: &Alias, own: &HashMap<Symbol, (Definition, bool)>) -> Option<Definition> {
    // Of an alias, its target has been entered already, or it is another alias.
    let mut target = alias.target;
    for _ in 0..module.aliases.len().max(1) {
        let ConstantKind::Symbol(name) = module.constant(target).kind else { return None };
        if let Some(&(definition, _)) = own.get(&name) {
            return Some(definition);
        }
        target = module.aliases.iter().find(|alias| alias.name == name)?.target;
    }
    None
}

fn is_weak(modules: &[&Module], definition: Definition) -> bool {
    let linkage = match definition {
        Definition::Function(m, i) => modules[m].functions[i].linkage,
        Definition::Global(m, i) => modules[m].globals[i].linkage,
    };
    linkage == Linkage::ExternWeak
}

fn size(modules: &[&Module], definition: Definition) -> u64 {
    match definition {
        Definition::Global(m, i) => modules[m].types.size(modules[m].globals[i].ty).unwrap_or(0),
        Definition::Function(..) => 0,
    }
}

fn alignment(modules: &[&Module], definition: Definition) -> u64 {
    match definition {
        Definition::Global(m, i) => modules[m].globals[i].alignment,
        Definition::Function(..) => 0,
    }
}
