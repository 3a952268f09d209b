//! C as it was written before the standard that clang assumes: what clang refuses is tried once more as older C, and
//! what was assumed for it is told.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use fencepost_budget::Budget;
use fencepost_scratch::Directory;
use hashbrown::HashSet;

use super::acsl::{self, Annotated};
use super::clang::Compilation;
use super::units::Unit;
use super::{Failure, Refusal};
use crate::input::bytes;
use crate::limits;

/// What clang made of a file, and what was assumed for it.
pub(super) struct Compiled {
    pub ir: String,
    pub assumptions: Vec<String>,
}

/// Runs clang with these flags.
type Compile<'c> = dyn Fn(&[&str]) -> Result<String, Failure> + 'c;

/// What was usual once. Each clang knows only some of these names, and does not mind others.
const LENIENT: [&str; 8] = [
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
    "-Wno-error=return-type",
    "-Wno-error=deprecated-non-prototype",
];
const OLD: [&str; 2] = ["-std=gnu89", "-fgnu89-inline"];

/// What gcc's preprocessor leaves of the C library's headers says which function frees what another allocates:
/// `__attribute__((__malloc__(free, 1)))`. clang knows the attribute without arguments only.
const DEALLOCATORS: [&str; 1] = ["-D__malloc__(...)=__malloc__"];
/// What it leaves of `<stdatomic.h>` calls gcc's functions for objects that are `_Atomic`. clang takes others only.
const ATOMICS: [&str; 9] = [
    "-D__atomic_load(p,r,o)=__atomic_load((__typeof__(*(r))*)(p),r,o)",
    "-D__atomic_store(p,v,o)=__atomic_store((__typeof__(*(v))*)(p),v,o)",
    "-D__atomic_exchange(p,v,r,o)=__atomic_exchange((__typeof__(*(v))*)(p),v,r,o)",
    "-D__atomic_compare_exchange(p,e,d,w,s,f)=__atomic_compare_exchange((__typeof__(*(d))*)(p),e,d,w,s,f)",
    "-D__atomic_fetch_add(p,v,o)=__atomic_fetch_add((__typeof__((void)0,*(p))*)(p),v,o)",
    "-D__atomic_fetch_sub(p,v,o)=__atomic_fetch_sub((__typeof__((void)0,*(p))*)(p),v,o)",
    "-D__atomic_fetch_or(p,v,o)=__atomic_fetch_or((__typeof__((void)0,*(p))*)(p),v,o)",
    "-D__atomic_fetch_and(p,v,o)=__atomic_fetch_and((__typeof__((void)0,*(p))*)(p),v,o)",
    "-D__atomic_fetch_xor(p,v,o)=__atomic_fetch_xor((__typeof__((void)0,*(p))*)(p),v,o)",
];
/// Nothing else is replaced in a file that was preprocessed before.
const PREPROCESSED: [&str; 3] = ["-x", "c", "-undef"];

/// The definitions with which clang takes what gcc takes, if that is what it refused.
fn definitions(message: &str) -> &'static [&'static str] {
    if message.contains("'__malloc__' attribute takes no arguments") {
        &DEALLOCATORS
    } else if message.contains("address argument to atomic operation must be") && message.contains("_Atomic(") {
        &ATOMICS
    } else {
        &[]
    }
}

/// Compiles a C file, and makes other attempts if that fails. `command` adds flags. `is_all`: there is no other file.
pub(super) fn compiled(
    unit: &Unit,
    command: impl Fn(&[&str]) -> Command,
    is_all: bool,
    budget: &Budget,
) -> Result<Compiled, Failure> {
    let path = unit.shown();
    let source = source(&path, budget)?;
    let compile = |flags: &[&str]| Compilation::start(command(flags), &unit.path)?.finish(budget);
    let plain = || compiled_somehow(&compile, is_preprocessed(&path));
    let annotated = acsl::annotated(&source, &unit.path.display().to_string());
    let mut compiled = match &annotated {
        Some(annotated) => with_annotations(annotated, &path, &command, budget, plain)?,
        None => plain()?,
    };
    if is_all && annotated.is_none() && lacks_inline_functions(&compiled.ir, &source) {
        with_inline_functions(&mut compiled, compile)?;
    }
    if source.contains("typedef unsigned int size_t;") {
        let text = "`long` and pointers have 64 bits, although the file has a `size_t` of 32 bits";
        compiled.assumptions.push(text.to_owned());
    }
    Ok(compiled)
}

/// The text of a file, unless it can be read only once.
fn source(path: &Path, budget: &Budget) -> Result<String, Failure> {
    if !path.is_file() {
        return Ok(String::new());
    }
    let bytes = bytes(path, limits::FILE_BYTES as u64, budget)?.unwrap_or_default();
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The same of a source in which annotations are code, or of the file itself if clang does not take that.
fn with_annotations(
    annotated: &Annotated,
    path: &Path,
    command: impl Fn(&[&str]) -> Command,
    budget: &Budget,
    plain: impl Fn() -> Result<Compiled, Failure>,
) -> Result<Compiled, Failure> {
    let directory = Directory::new()?;
    let copy = directory.write("annotated.c", &annotated.text)?;
    let beside = path.canonicalize().ok().and_then(|path| path.parent().map(Path::to_owned)).unwrap_or_default();
    let compile = |flags: &[&str]| {
        let mut command = command(flags);
        command.arg("-iquote").arg(&beside);
        Compilation::start(command, &copy)?.finish(budget)
    };
    match compiled_somehow(&compile, is_preprocessed(path)) {
        Ok(compiled) => {
            let assumptions = annotated.ignored.iter().cloned().chain(compiled.assumptions).collect();
            Ok(Compiled { assumptions, ..compiled })
        }
        Err(Failure::Refused(_)) => {
            let mut compiled = plain()?;
            compiled.assumptions.push("annotations of ACSL are ignored: clang does not take them for code".to_owned());
            Ok(compiled)
        }
        Err(spent) => Err(spent),
    }
}

fn is_preprocessed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "i")
}

/// As it is, with definitions for what only gcc takes, or as older C.
fn compiled_somehow(compile: &Compile, is_preprocessed: bool) -> Result<Compiled, Failure> {
    let mut flags: Vec<&str> = Vec::new();
    loop {
        let refusal = match compile(&flags) {
            Ok(ir) => return Ok(Compiled { ir, assumptions: Vec::new() }),
            Err(Failure::Refused(refusal)) => refusal,
            Err(spent) => return Err(spent),
        };
        let more = definitions(&refusal.message);
        if more.iter().all(|definition| flags.contains(definition)) {
            return again(refusal, &|older| compile(&[&flags, older].concat()));
        }
        if is_preprocessed && flags.is_empty() {
            flags.extend(PREPROCESSED);
        }
        flags.extend(more);
    }
}

/// Tries older and older C. The error is that of the first attempt.
fn again(refusal: Refusal, compile: &Compile) -> Result<Compiled, Failure> {
    let old: Vec<&str> = LENIENT.into_iter().chain(OLD).collect();
    for flags in [&LENIENT[..], &old] {
        let mut assumptions: Vec<String> = warnings(&refusal.message).into_iter().collect();
        if flags.len() > LENIENT.len() {
            assumptions = vec![format!("the file is C of 1989 (`{}`)", OLD.join(" "))];
        }
        match compile(flags) {
            Ok(ir) => return Ok(Compiled { ir, assumptions }),
            Err(Failure::Refused(_)) => {}
            Err(spent) => return Err(spent),
        }
    }
    Err(refusal.into())
}

/// What the errors that clang told mean if they are not taken for errors.
fn warnings(said: &str) -> BTreeSet<String> {
    let told = |warning: &str| said.contains(&format!("[-W{warning}]"));
    let known = [
        ("implicit-function-declaration", "functions that are not declared return `int`"),
        ("implicit-int", "what has no type is an `int`"),
        ("int-conversion", "integers and pointers are converted into each other"),
        ("incompatible-pointer-types", "pointers of different types are converted into each other"),
        (
            "incompatible-function-pointer-types",
            "pointers to functions of different types are converted into each other",
        ),
    ];
    let found: BTreeSet<String> =
        known.into_iter().filter(|(warning, _)| told(warning)).map(|(_, text)| text.to_owned()).collect();
    match found.is_empty() {
        true => BTreeSet::from(["errors that older compilers only warned about are none".to_owned()]),
        false => found,
    }
}

/// The names of the functions that LLVM IR declares, or defines.
fn functions<'t>(ir: &'t str, keyword: &'t str) -> impl Iterator<Item = &'t str> {
    let lines = ir.lines().filter(move |line| line.starts_with(keyword));
    lines.filter_map(|line| {
        let (_, rest) = line.split_once(" @")?;
        rest.split_once('(').map(|(name, _)| name)
    })
}

/// Whether some function has no code only because it is `inline` in C99's sense, without a definition elsewhere.
fn lacks_inline_functions(ir: &str, source: &str) -> bool {
    let mut parts = source.split("inline").skip(1).peekable();
    if parts.peek().is_none() {
        return false;
    }
    let declared: HashSet<&str> = functions(ir, "declare ").collect();
    parts.any(|part| {
        // `inline int name(`: the word before the first parenthesis.
        let head = part.split(['(', ';', '{', '}']).next().unwrap_or("");
        let name = head.trim_end().rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
        declared.contains(name)
    })
}

/// Gives code to such functions, unless others lose theirs.
fn with_inline_functions(
    compiled: &mut Compiled,
    compile: impl Fn(&[&str]) -> Result<String, Failure>,
) -> Result<(), Failure> {
    let flags: Vec<&str> = match compiled.assumptions.is_empty() {
        true => vec!["-fgnu89-inline"],
        false => LENIENT.into_iter().chain(["-fgnu89-inline"]).collect(),
    };
    let ir = match compile(&flags) {
        Ok(ir) => ir,
        Err(Failure::Refused(_)) => return Ok(()),
        Err(spent) => return Err(spent),
    };
    let is_better = {
        let [before, after] = [&compiled.ir, &ir].map(|ir| functions(ir, "define ").collect::<HashSet<&str>>());
        after.len() > before.len() && before.is_subset(&after)
    };
    if is_better {
        compiled.ir = ir;
        let text = "`inline` functions are those of this file, as before C99 (`-fgnu89-inline`)";
        compiled.assumptions.push(text.to_owned());
    }
    Ok(())
}
