//! Compilation databases: `compile_commands.json`, as CMake, Meson, Ninja and Bear write it.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use fencepost_frontend::Unit;
use serde_json::Value;

use super::command_line::words;
use super::flags::flags;
use super::{Subject, is_linked, joined, unit};
use crate::arguments::InputArguments;
use crate::input::name;

const FILE: &str = "compile_commands.json";
/// A longer file is not read.
const MOST_BYTES: u64 = 256 << 20;

/// How one file is compiled.
#[derive(Clone, Debug)]
struct Entry {
    /// Relative to the directory.
    file: String,
    directory: PathBuf,
    command: Vec<String>,
    output: Option<PathBuf>,
}

impl Entry {
    fn path(&self) -> PathBuf {
        let path = self.directory.join(&self.file);
        path.canonicalize().unwrap_or(path)
    }

    /// What it is compiled for: `CMakeFiles/queue.dir/a.c.o` is for `queue`, and so is Meson's `queue.p/a.c.o`.
    fn target(&self) -> Option<&str> {
        let mut parts = self.output.as_deref()?.components().filter_map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        });
        parts.find_map(|part| part.strip_suffix(".dir").or_else(|| part.strip_suffix(".p")))
    }

    /// Whether it is for a target, which may also be a directory of its output.
    fn is_for(&self, target: &str) -> bool {
        let is_directory = || {
            let parent = self.output.as_deref().and_then(Path::parent);
            parent.is_some_and(|parent| parent.components().any(|part| part.as_os_str() == target))
        };
        self.target() == Some(target) || is_directory()
    }
}

/// What to analyse, and what the user should know.
#[derive(Debug)]
pub struct Chosen {
    pub subject: Subject,
    pub notes: Vec<String>,
}

/// The program that the arguments choose from a database.
pub fn chosen(build: &Path, arguments: &InputArguments) -> Result<Chosen, String> {
    let path = if build.is_dir() { build.join(FILE) } else { build.to_owned() };
    let entries = read(&path)?;
    let mut notes = Vec::new();
    let of_targets = of_targets(&entries, &arguments.targets, &path)?;
    let mut others = Vec::new();
    let mut picked: Vec<&Entry> = Vec::new();
    if arguments.files.is_empty() {
        picked = of_targets.iter().copied().filter(|entry| is_linked(Path::new(&entry.file))).collect();
        if picked.is_empty() {
            return Err(format!("{} compiles no C or C++ file", name(&path)));
        }
    }
    for file in &arguments.files {
        let wanted = file.canonicalize().unwrap_or_else(|_| file.clone());
        let found: Vec<&Entry> = of_targets.iter().copied().filter(|entry| entry.path() == wanted).collect();
        match found.is_empty() {
            false => picked.extend(found),
            // LLVM IR is compiled already.
            true if file.extension().is_some_and(|extension| extension == "ll" || extension == "bc") => {
                others.push(unit(file, arguments));
            }
            true => return Err(not_there(file, &path, &arguments.targets)),
        }
    }
    let picked = without_repetition(picked, &arguments.targets, &mut notes);
    let mut units = Vec::new();
    let mut unknown = BTreeSet::new();
    for entry in &picked {
        if !entry.directory.is_dir() {
            let directory = name(&entry.directory);
            return Err(format!("{} compiles {} in {directory}, which is not there", name(&path), entry.file));
        }
        let flags = flags(&entry.command, &entry.file);
        unknown.extend(flags.unknown);
        let arguments = flags.kept.into_iter().chain(arguments.compiler_arguments.iter().cloned()).collect();
        units.push(Unit { path: entry.file.clone().into(), directory: Some(entry.directory.clone()), arguments });
    }
    units.extend(others);
    if !unknown.is_empty() {
        let unknown: Vec<String> = unknown.into_iter().collect();
        notes.push(format!("left out what only gcc knows: {}", unknown.join(" ")));
    }
    let subject = Subject { name: called(&units, build, arguments), hint: Some(hint(&entries)), units };
    Ok(Chosen { subject, notes })
}

/// What reports call the program.
fn called(units: &[Unit], build: &Path, arguments: &InputArguments) -> String {
    if !arguments.files.is_empty() {
        let given = |path: &PathBuf| Unit { path: path.clone(), directory: None, arguments: Vec::new() };
        return joined(&arguments.files.iter().map(given).collect::<Vec<_>>());
    }
    let files = if units.len() == 1 { "1 file".to_owned() } else { format!("{} files", units.len()) };
    match &arguments.targets[..] {
        [] => format!("{} ({files})", name(build)),
        targets => format!("{} ({files})", crate::terminal::visible(&targets.join(" + "))),
    }
}

/// What to do if all files together are no program.
fn hint(entries: &[Entry]) -> String {
    let targets: BTreeSet<&str> = entries.iter().filter_map(Entry::target).collect();
    let targets: Vec<&str> = targets.into_iter().collect();
    match &targets[..] {
        [] | [_] => "choose the files of one program by naming them".to_owned(),
        _ => format!(
            "choose one program: `--target {}`, of {}; or name its files. A library may be a target of its own: \
             `--target` can be given several times",
            targets[0],
            targets.join(", ")
        ),
    }
}

fn of_targets<'e>(entries: &'e [Entry], targets: &[String], path: &Path) -> Result<Vec<&'e Entry>, String> {
    for target in targets {
        if !entries.iter().any(|entry| entry.is_for(target)) {
            let known: BTreeSet<&str> = entries.iter().filter_map(Entry::target).collect();
            let known: Vec<&str> = known.into_iter().collect();
            let known = match &known[..] {
                [] => "it does not tell targets apart: name the files instead".to_owned(),
                known => format!("it has {}", known.join(", ")),
            };
            return Err(format!("{} has no target {target}; {known}", name(path)));
        }
    }
    let is_chosen = |entry: &&Entry| targets.is_empty() || targets.iter().any(|target| entry.is_for(target));
    Ok(entries.iter().filter(is_chosen).collect())
}

fn not_there(file: &Path, path: &Path, targets: &[String]) -> String {
    let where_ = match targets {
        [] => String::new(),
        targets => format!(" for the target {}", targets.join(" or ")),
    };
    let what = if file.exists() { "" } else { ", and there is no such file" };
    format!(
        "{} does not say how {} is compiled{where_}{what}; leave out `-p` and give clang's arguments after `--`",
        name(path),
        name(file)
    )
}

/// A file that is compiled for several targets, or that is listed twice, is in a program once.
fn without_repetition<'e>(picked: Vec<&'e Entry>, targets: &[String], notes: &mut Vec<String>) -> Vec<&'e Entry> {
    let mut kept: Vec<&Entry> = Vec::new();
    for entry in picked {
        let mut same = kept.iter().filter(|other| other.path() == entry.path());
        let is_same = |other: &&&Entry| other.command == entry.command || other.target() != entry.target();
        match same.find(is_same) {
            None => kept.push(entry),
            Some(first) if first.command == entry.command => {}
            Some(first) => {
                let what = match (targets, first.target()) {
                    ([], Some(target)) => format!("as for the target {target}; `--target` chooses another"),
                    _ => "as it is compiled first".to_owned(),
                };
                notes.push(format!("{} is compiled more than once: taken {what}", name(&entry.path())));
            }
        }
    }
    notes.dedup();
    kept
}

fn read(path: &Path) -> Result<Vec<Entry>, String> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text));
    if let Err(error) = read {
        return Err(format!(
            "cannot read {}: {error}; build systems write it with `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, \
             `meson setup`, `ninja -t compdb` or `bear -- make`",
            name(path)
        ));
    }
    let wrong = |what: String| format!("{} is not a compilation database: {what}", name(path));
    let value: Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let entries = value.as_array().ok_or_else(|| wrong("it is not an array".to_owned()))?;
    // Paths are relative to where the database is if they are not absolute.
    let base = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entry = |(i, value)| entry(value, base).map_err(|what| wrong(format!("entry {}: {what}", i + 1)));
    entries.iter().enumerate().map(entry).collect()
}

fn entry(value: &Value, base: &Path) -> Result<Entry, String> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let file = text("file").ok_or("it has no `file`")?;
    let directory = base.join(text("directory").unwrap_or_default());
    let command = match (value.get("arguments").and_then(Value::as_array), text("command")) {
        (Some(arguments), _) => arguments.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        (None, Some(command)) => words(&command),
        (None, None) => return Err("it has neither `arguments` nor `command`".to_owned()),
    };
    let written = || command.iter().position(|word| word == "-o").and_then(|at| command.get(at + 1)).cloned();
    let output = text("output").or_else(written).map(PathBuf::from);
    Ok(Entry { file, directory, command, output })
}
