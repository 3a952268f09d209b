//! What no linker takes: names that are defined twice, or that are thread-local in one file only.

use super::link::Definition;
use super::lower::{At, Lowering, Refusal};

pub(super) fn no_main(names: &[String]) -> String {
    match names {
        [_] => "there is no function `main`".to_owned(),
        _ => format!("there is no function `main` in any of {}", names.join(", ")),
    }
}

impl Lowering<'_> {
    /// Fails if the modules, with these names, are not one program.
    pub(super) fn check_linkage(&mut self, names: &[String]) -> Result<(), Refusal> {
        let clashes = self.linked.clashes();
        let main = clashes.iter().find(|(name, ..)| *name == "main");
        let clash = main.or(clashes.first()).copied();
        if let Some((name, first, definition)) = clash {
            let (first, second, at) = (self.place(first, names), self.place(definition, names), self.at(definition));
            let what_to_do = match name {
                "main" => "a program has one `main`: give the files of one program",
                _ => "a program has one definition: make one `static`, or leave a file out",
            };
            let name = self.source_name(definition).unwrap_or_else(|| name.to_owned());
            let message = format!("`{name}` is defined twice, in {first} and in {second}; {what_to_do}");
            return Err(Refusal { message, at: Some(at) });
        }
        if let Some((name, first, second)) = self.linked.mixed_thread_local() {
            let (at, first, second) = (self.at(second), self.place(first, names), self.place(second, names));
            let message = format!("`{name}` is thread-local only in one of {first} and {second}");
            return Err(Refusal { message, at: Some(at) });
        }
        Ok(())
    }

    fn at(&mut self, definition: Definition) -> At {
        let (m, ir_line, found) = match definition {
            Definition::Function(m, i) => {
                let (function, metadata) = (self.linked.function((m, i)), &self.linked.modules[m].metadata);
                let place = |id| Some((metadata.subprogram_file(id)?, metadata.subprogram(id)?.1));
                (m, function.line, function.debug.and_then(place))
            }
            Definition::Global(m, i) => {
                let (global, metadata) = (self.linked.global((m, i)), &self.linked.modules[m].metadata);
                let variable = global.debug.iter().find_map(|&id| metadata.variable(id));
                (m, global.line, variable.and_then(|variable| Some((variable.file?, variable.line))))
            }
        };
        match found {
            Some((file, line)) => {
                let file = self.sources.file(m, self.linked.modules[m], file);
                At::Source(self.sources.files[file.0 as usize].clone(), line)
            }
            None => At::Ir(m, ir_line),
        }
    }

    /// What the source calls something.
    fn source_name(&self, definition: Definition) -> Option<String> {
        let (m, name) = match definition {
            Definition::Function(m, i) => {
                (m, self.linked.modules[m].metadata.subprogram(self.linked.function((m, i)).debug?)?.0)
            }
            Definition::Global(m, i) => {
                let metadata = &self.linked.modules[m].metadata;
                (m, self.linked.global((m, i)).debug.iter().find_map(|&id| metadata.variable(id))?.name)
            }
        };
        Some(self.linked.modules[m].name(name).to_owned())
    }

    /// `queue.c:12`
    fn place(&mut self, definition: Definition, names: &[String]) -> String {
        match self.at(definition) {
            At::Source(source, line) => format!("{}:{line}", source.name),
            At::Ir(m, line) => format!("{}:{line}", names.get(m).map_or("our library", String::as_str)),
        }
    }
}
