//! Our own C and C++ library, as analysed programs see it. It is source code that clang compiles; what it made is kept
//! for the next run ([`kept`]). Of a part, a program gets only what it needs.

mod kept;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use fencepost_budget::Budget;
use fencepost_llvm::{Linkage, Module, Op, Outline};
use fencepost_scratch::Directory;
use hashbrown::HashSet;

use super::clang::{self, Compilation};
use super::output::{self, Output};
use super::reach::ON_DEMAND;
use super::{Failure, headers, read_module, refused, system};
use crate::input::Settings;
use kept::Kept;

/// What a part of the library is made of: its files, the last of which includes the others.
type Files = &'static [(&'static str, &'static str)];

macro_rules! files {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("runtime/", $name)))),*] };
}

const HEADERS: Files = files!["primitives.h", "base.h"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Threads, locks, memory, strings: every program has it.
    C,
    /// Text and numbers, and how they are printed: some programs need it.
    Text,
    /// What C++ programs find in libstdc++, and in the part that libc++ shares with it.
    Cxx,
    /// What else they find in libc++. Its own headers are needed to compile it.
    LibCxx,
}

impl Part {
    fn files(self) -> Files {
        match self {
            Part::C => files![
                "runtime.c",
                "integers.c",
                "errno.c",
                "strings.c",
                "timed.c",
                "time.c",
                "attributes.c",
                "keys.c",
                "system.c",
                "stdio.c",
                "reuse.c",
                "verifier.c",
                "waiting.c",
                "library.c",
            ],
            Part::Text => files![
                "text.c",
                "ctype.c",
                "numbers.c",
                "decimal.c",
                "floats.c",
                "format.c",
                "scan.c",
                "math.c",
                "fortify.c",
                "texts.c",
            ],
            Part::Cxx => files![
                "cxx/declarations.h",
                "cxx/strings.h",
                "cxx/chrono.cc",
                "cxx/containers.cc",
                "cxx/exceptions.cc",
                "cxx/futures.cc",
                "cxx/hash.cc",
                "cxx/new.cc",
                "cxx/once.cc",
                "cxx/statics.cc",
                "cxx/stdexcept.cc",
                "cxx/streams.cc",
                "cxx/system_error.cc",
                "cxx/thread_local.cc",
                "cxx/threads.cc",
                "cxx/throw.cc",
                "cxx/typeinfo.cc",
                "cxx/typeinfo.h",
                "cxx/wide.cc",
                "cxx/library.cc",
            ],
            Part::LibCxx => files![
                "libcxx/errors.cc",
                "libcxx/memory.cc",
                "libcxx/threads.cc",
                "libcxx/futures.cc",
                "libcxx/libcxx.cc",
            ],
        }
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Part::C | Part::Text => &["-ffreestanding", "-fno-builtin", "-fexceptions", "-fno-math-errno"],
            Part::Cxx => &["-ffreestanding", "-fno-builtin", "-std=c++20", "-nostdinc++"],
            Part::LibCxx => &["-std=c++20", "-stdlib=libc++", "-w"],
        }
    }
}

/// Whether a program needs the C++ part.
fn needs_cxx(module: &Module) -> bool {
    let is_cxx = |name: &str| ["_Z", "__cxa_", "__gxx_", "__dynamic_cast"].iter().any(|start| name.starts_with(start));
    let functions = &module.functions;
    let lands = functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions);
    missing(module).any(is_cxx) || lands.map(|i| &i.op).any(|op| matches!(op, Op::LandingPad { .. }))
}

/// Whether a program was compiled with the headers of libc++.
fn needs_libcxx(module: &Module) -> bool {
    missing(module).any(|name| name.starts_with("_Z") && name.contains("St3__1"))
}

/// The names that a module does not define itself.
fn missing(module: &Module) -> impl Iterator<Item = &str> {
    let is_copy = |linkage| linkage == Linkage::AvailableExternally;
    let functions = module.functions.iter().filter(move |f| !f.is_defined() || is_copy(f.linkage)).map(|f| f.name);
    let globals = module.globals.iter().filter(move |g| g.init.is_none() || is_copy(g.linkage)).map(|g| g.name);
    functions.chain(globals).map(|name| module.name(name))
}

/// Whether lowering may call a function of the library for an instruction, or for another function.
fn is_called_by_lowering(name: &str) -> bool {
    let starts_or_ends = name.starts_with("__fencepost_") || name.ends_with("ti3");
    starts_or_ends || ["exit", "quick_exit", "memcpy", "memmove", "memset"].contains(&name)
}

/// What lowering may call because of a name: `pow` or `powf` for `llvm.pow.f64`.
fn called_for(name: &str) -> Vec<String> {
    let intrinsic = name.strip_prefix("llvm.").and_then(|name| name.split('.').next());
    let functions = intrinsic.into_iter().flat_map(|base| [base.to_owned(), format!("{base}f")]);
    let others = ON_DEMAND.iter().filter(|(mentioned, _)| *mentioned == name).map(|(_, called)| (*called).to_owned());
    functions.chain(others).collect()
}

/// What the library is compiled with: the macros that its source asks for.
type Variant = [&'static str; 3];

fn variant(settings: Settings) -> Variant {
    [
        if settings.strict { "-DSTRICT=1" } else { "-DSTRICT=0" },
        if settings.proof { "-DPROOF=1" } else { "-DPROOF=0" },
        if settings.failing { "-DFAILING=1" } else { "-DFAILING=0" },
    ]
}

/// A part that this process has: by which clang, and in which variant.
struct Known {
    clang: OsString,
    variant: Variant,
    part: Part,
    outline: Arc<Outline>,
}

/// Each part is compiled or read once in a process for each compiler and variant.
static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());

/// The parts of the library that a program may need.
pub(super) struct Library {
    clang: OsString,
    variant: Variant,
    parts: Vec<(Part, State)>,
}

enum State {
    Known(Arc<Outline>),
    /// Compiled by an earlier run.
    Kept(Kept),
    /// Nothing has begun.
    Source(Option<Kept>),
    /// The directory has the source.
    Compiling(Compilation, Directory, Option<Kept>),
}

impl Library {
    /// Starts to compile what a program of these languages will need, unless it is there.
    pub(super) fn start(clang: &OsString, settings: Settings, is_cxx: bool) -> Result<Library, String> {
        let variant = variant(settings);
        // What C++ defines in another way wins: there, functions that C calls may throw.
        let parts = [(Part::Cxx, is_cxx), (Part::C, true)];
        let state = |(part, begins)| Ok((part, state(clang, variant, part, begins)?));
        let parts = parts.into_iter().map(state).collect::<Result<_, String>>()?;
        Ok(Library { clang: clang.clone(), variant, parts })
    }

    /// Waits for clang, and reads what these modules need; of libc++ only if it has the layout of this system's.
    pub(super) fn finish(self, users: &[&Module], has_libcxx: bool, budget: &Budget) -> Result<Vec<Module>, Failure> {
        let cxx = users.iter().any(|module| needs_cxx(module));
        let mut outlines = Vec::new();
        for (part, state) in self.parts {
            if part == Part::C || cxx {
                outlines.push(outline(&self.clang, self.variant, part, state, budget)?);
            }
        }
        if has_libcxx && users.iter().any(|module| needs_libcxx(module)) {
            let state = state(&self.clang, self.variant, Part::LibCxx, false)?;
            match outline(&self.clang, self.variant, Part::LibCxx, state, budget) {
                Ok(outline) => outlines.insert(0, outline),
                // LLVM IR may come from where libc++ is. What it needs is refused where it is reached.
                Err(failure @ Failure::Spent(_)) => return Err(failure),
                Err(_) => {}
            }
        }
        if needs_text(&outlines, users) {
            let state = state(&self.clang, self.variant, Part::Text, false)?;
            // The C library itself comes last.
            outlines.insert(outlines.len() - 1, outline(&self.clang, self.variant, Part::Text, state, budget)?);
        }
        let read = |part: &fencepost_llvm::Part<'_>| read_module(&part.text(), budget);
        needed(&outlines, users).iter().filter(|part| !part.is_empty()).map(read).collect()
    }
}

/// What there is of a part. If it has to be compiled, this begins now or later.
fn state(clang: &OsString, variant: Variant, part: Part, begins: bool) -> Result<State, String> {
    if let Some(outline) = known(clang, variant, part) {
        return Ok(State::Known(outline));
    }
    match Kept::of(clang, variant, part) {
        Some(kept) if kept.exists() => Ok(State::Kept(kept)),
        kept if begins => compile(clang, variant, part, kept),
        kept => Ok(State::Source(kept)),
    }
}

/// Waits for a part.
fn outline(
    clang: &OsString,
    variant: Variant,
    part: Part,
    mut state: State,
    budget: &Budget,
) -> Result<Arc<Outline>, Failure> {
    loop {
        state = match state {
            State::Known(outline) => return Ok(outline),
            State::Kept(kept) => match kept.read() {
                Some(text) => return Ok(remember(clang, variant, part, text)),
                // What cannot be read is compiled.
                None => State::Source(Some(kept)),
            },
            State::Source(kept) => compile(clang, variant, part, kept)?,
            State::Compiling(compilation, _directory, kept) => {
                let text = unnamed(compilation.finish(budget)?);
                kept.inspect(|kept| kept.write(&text));
                return Ok(remember(clang, variant, part, text));
            }
        };
    }
}

/// A module without the name of its file, which is a different one each time.
fn unnamed(module: String) -> String {
    let names = |line: &&str| line.starts_with("; ModuleID") || line.starts_with("source_filename");
    let named: usize = module.split_inclusive('\n').take_while(names).map(str::len).sum();
    module[named..].to_owned()
}

/// What modules need from the parts, and what that needs.
fn needed<'o>(outlines: &'o [Arc<Outline>], users: &[&'o Module]) -> Vec<fencepost_llvm::Part<'o>> {
    let mut parts: Vec<_> = outlines.iter().map(|outline| outline.part()).collect();
    let mut names: HashSet<&str> = users.iter().flat_map(|module| missing(module)).collect();
    names.extend(outlines.iter().flat_map(|outline| outline.definitions().filter(|name| is_called_by_lowering(name))));
    loop {
        let mut grows = false;
        for part in &mut parts {
            for name in &names {
                grows |= part.add(name);
                called_for(name).iter().for_each(|name| grows |= part.add(name));
            }
        }
        if !grows {
            return parts;
        }
        names = parts.iter().flat_map(|part| part.missing()).collect();
    }
}

/// Whether a program or what it needs of the library calls functions that may be in the part about text and numbers. It
/// costs time only if it is there for nothing.
fn needs_text(outlines: &[Arc<Outline>], users: &[&Module]) -> bool {
    let parts = needed(outlines, users);
    let names = users.iter().flat_map(|module| missing(module)).chain(parts.iter().flat_map(|part| part.missing()));
    let is_defined = |name: &str| outlines.iter().any(|outline| outline.defines(name));
    let is_users = |name: &str| users.iter().any(|module| defines(module, name));
    let mut names = names.filter(|name| may_be_text(name));
    names.any(|name| !is_defined(name) && !is_users(name)) || users.iter().any(|module| output::looks_at_length(module))
}

fn defines(module: &Module, name: &str) -> bool {
    module.functions.iter().any(|function| function.is_defined() && module.name(function.name) == name)
}

/// Whether a function that no other part defines may be one about text and numbers. Others that are common are known.
fn may_be_text(name: &str) -> bool {
    const OTHERS: [&str; 12] = [
        "abort",
        "exit",
        "_exit",
        "_Exit",
        "quick_exit",
        "assume",
        "fencepost_choose",
        "reach_error",
        "main",
        "assume_abort_if_not",
        "fencepost_assume",
        "perror",
    ];
    if let Some(intrinsic) = name.strip_prefix("llvm.") {
        return system::is_of_library(intrinsic);
    }
    let prefixes = [
        "__fencepost_",
        "__VERIFIER_",
        "__assert",
        "__cxa_",
        "__gcc_",
        "__gxx_",
        "_Unwind_",
        "__CPROVER_",
        "__goblint_",
        "_Z",
    ];
    !prefixes.iter().any(|prefix| name.starts_with(prefix))
        && !OTHERS.contains(&name)
        && Output::of(name).is_none()
        && !refused::is_known(name)
}

fn known(clang: &OsString, variant: Variant, part: Part) -> Option<Arc<Outline>> {
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let found = known.iter().find(|known| (&known.clang, known.variant, known.part) == (clang, variant, part));
    found.map(|known| Arc::clone(&known.outline))
}

fn remember(clang: &OsString, variant: Variant, part: Part, text: String) -> Arc<Outline> {
    let outline = Arc::new(Outline::new(text));
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.push(Known { clang: clang.clone(), variant, part, outline: Arc::clone(&outline) });
    outline
}

fn compile(clang: &OsString, variant: Variant, part: Part, kept: Option<Kept>) -> Result<State, String> {
    let directory = Directory::new()?;
    let mut file = PathBuf::new();
    for (name, text) in HEADERS.iter().chain(part.files()) {
        // Files of all parts are in one directory, so that they include each other by name.
        file = directory.write(name.rsplit('/').next().unwrap_or(name), text)?;
    }
    let mut command = clang::command(clang);
    if part == Part::LibCxx {
        command.arg("-isystem").arg(headers::write(&directory, true)?);
    }
    // Nobody sees its lines.
    command.arg("-g0").args(part.flags()).args(variant).arg("-o").arg("-");
    Ok(State::Compiling(Compilation::start(command, &file)?, directory, kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_without_text_do_not_have_the_part_about_it() {
        let clang = clang::find().expect("clang");
        let parts = |program: &str| {
            let budget = Budget::default();
            let module = fencepost_llvm::read_unless(program, &|| false).expect("LLVM IR");
            let library = Library::start(&clang, Settings::default(), false).expect("clang starts");
            library.finish(&[&module], true, &budget).map(|parts| parts.len()).unwrap_or(0)
        };
        assert_eq!(parts("declare i32 @pthread_create()\ndeclare void @abort()\ndeclare i32 @printf(ptr, ...)\n"), 1);
        for text in ["declare i32 @strtol()\n", "declare double @llvm.rint.f64(double)\n"] {
            assert_eq!(parts(text), 2, "{text}");
        }
    }
}
