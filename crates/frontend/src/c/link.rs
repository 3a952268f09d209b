//! Which definition a name stands for, over several modules.

use fencepost_llvm::{ConstantKind, Function, Global, Module, Symbol};
use hashbrown::HashMap;

/// A function or a global variable: the number of its module, and its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Definition {
    Function(usize, usize),
    Global(usize, usize),
}

/// Modules that make one program. Those that come first win.
pub(super) struct Linked<'m> {
    pub modules: Vec<&'m Module>,
    /// What each module itself defines or declares.
    own: Vec<HashMap<Symbol, Definition>>,
    defined: HashMap<&'m str, Definition>,
    aliases: HashMap<(usize, Symbol), Symbol>,
}

impl<'m> Linked<'m> {
    pub(super) fn new(modules: Vec<&'m Module>) -> Linked<'m> {
        let mut linked = Linked { modules, own: Vec::new(), defined: HashMap::new(), aliases: HashMap::new() };
        for (m, module) in linked.modules.iter().copied().enumerate() {
            let mut own = HashMap::new();
            for (i, global) in module.globals.iter().enumerate() {
                own.insert(global.name, Definition::Global(m, i));
                if global.init.is_some() {
                    linked.defined.entry(module.name(global.name)).or_insert(Definition::Global(m, i));
                }
            }
            for (i, function) in module.functions.iter().enumerate() {
                own.insert(function.name, Definition::Function(m, i));
                if function.is_defined() {
                    linked.defined.entry(module.name(function.name)).or_insert(Definition::Function(m, i));
                }
            }
            for &(name, target) in &module.aliases {
                if let ConstantKind::Symbol(target) = module.constant(target).kind {
                    linked.aliases.insert((m, name), target);
                }
            }
            linked.own.push(own);
        }
        linked
    }

    pub(super) fn function(&self, (m, i): (usize, usize)) -> &'m Function {
        &self.modules[m].functions[i]
    }

    pub(super) fn global(&self, (m, i): (usize, usize)) -> &'m Global {
        &self.modules[m].globals[i]
    }

    /// The definition of a name in a module: its own, or that of another module, or else a declaration.
    pub(super) fn resolve(&self, m: usize, mut name: Symbol) -> Option<Definition> {
        // At most an alias of an alias.
        for _ in 0..2 {
            name = self.aliases.get(&(m, name)).copied().unwrap_or(name);
        }
        let own = self.own[m].get(&name).copied();
        let defined_here = match own {
            Some(Definition::Function(m, i)) => self.function((m, i)).is_defined(),
            Some(Definition::Global(m, i)) => self.global((m, i)).init.is_some(),
            None => false,
        };
        if defined_here {
            return own;
        }
        self.defined.get(self.modules[m].name(name)).copied().or(own)
    }

    pub(super) fn named(&self, name: &str) -> Option<Definition> {
        self.defined.get(name).copied()
    }
}
