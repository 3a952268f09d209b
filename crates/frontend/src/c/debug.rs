//! Places in the source, from debug information.

use super::headers;

use fencepost_llvm::{MetadataId, Module, Symbol};
use fencepost_program::{FileId, Source, Span};
use hashbrown::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// The files that instructions come from.
pub(super) struct Sources {
    pub files: Vec<Source>,
    /// By file, where its lines start: looking for each line from the top would take the square of their number.
    lines: Vec<Vec<u32>>,
    index: HashMap<(usize, Symbol), FileId>,
    /// By name and path. Modules that include one header have it once.
    known: HashMap<(String, Option<PathBuf>), FileId>,
    /// The directory that names are shown relative to.
    here: Option<PathBuf>,
    quotable: Quotable,
}

/// The files whose text may be shown. A `#line` directive can name any file, and so can LLVM IR.
#[derive(Default)]
pub(super) struct Quotable {
    /// What clang has read, by its own account.
    read: HashSet<PathBuf>,
    /// What is below one of these directories.
    below: Vec<PathBuf>,
}

impl Quotable {
    pub(super) fn read(files: HashSet<PathBuf>) -> Quotable {
        Quotable { read: files, below: Vec::new() }
    }

    /// What either allows.
    pub(super) fn or(&mut self, other: &Quotable) {
        self.read.extend(other.read.iter().cloned());
        self.below.extend(other.below.iter().cloned());
    }

    /// For LLVM IR: what is near it, or near where we are.
    pub(super) fn near(path: &Path) -> Quotable {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let below = [parent, Path::new(".")].iter().filter_map(|directory| directory.canonicalize().ok()).collect();
        Quotable { read: HashSet::new(), below }
    }

    fn allows(&self, path: &Path) -> bool {
        let Ok(path) = path.canonicalize() else { return false };
        self.read.contains(&path) || self.below.iter().any(|directory| path.starts_with(directory))
    }
}

/// Calls that are inlined into each other. In metadata that no compiler made, they may go in circles.
const MOST_INLINED: usize = 1000;
/// A source that is larger is not quoted.
const MOST_BYTES: u64 = 4 << 20;

impl Sources {
    pub(super) fn new(quotable: Quotable) -> Sources {
        Sources {
            files: Vec::new(),
            lines: Vec::new(),
            index: HashMap::new(),
            known: HashMap::new(),
            here: std::env::current_dir().ok(),
            quotable,
        }
    }

    pub(super) fn span(&mut self, m: usize, module: &Module, location: MetadataId) -> Span {
        let Some(mut location) = module.metadata.location(location) else { return Span::default() };
        // What clang always inlines from the C++ library is shown where it was called.
        for _ in 0..MOST_INLINED {
            let in_header = location.file.is_some_and(|(name, _)| is_system_header(module, name));
            match location.inlined_at.and_then(|call| module.metadata.location(call)) {
                Some(caller) if in_header => location = caller,
                _ => break,
            }
        }
        let Some(file) = location.file else { return Span::default() };
        let file = self.file(m, module, file);
        let length = self.word_length(file, location.line, location.column);
        Span { file, line: location.line, column: location.column.max(1), length }
    }

    pub(super) fn file(&mut self, m: usize, module: &Module, (name, directory): (Symbol, Option<Symbol>)) -> FileId {
        if let Some(&known) = self.index.get(&(m, name)) {
            return known;
        }
        let path = module.name(name);
        let directory = directory.map(|directory| Path::new(module.name(directory)));
        let paths = self.paths(Path::new(path), directory);
        let mut existing = paths.iter().filter_map(|path| Some((path.canonicalize().ok()?, path.clone())));
        let mut allowed = paths.iter().filter(|path| self.quotable.allows(path));
        let found = match allowed.next().cloned() {
            Some(path) => path.canonicalize().ok().map(|canonical| (canonical, path)),
            None => existing.next(),
        };
        let key = (path.to_owned(), found.as_ref().map(|(canonical, _)| canonical.clone()));
        if let Some(&known) = self.known.get(&key) {
            self.index.insert((m, name), known);
            return known;
        }
        let shown = found.as_ref().and_then(|(_, found)| self.shown(Path::new(path), found));
        let text = found.filter(|(_, path)| self.quotable.allows(path)).and_then(|(_, path)| read(&path));
        let text = text.unwrap_or_default();
        let id = FileId(self.files.len() as u32);
        let after_newlines = text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(at, _)| at as u32 + 1);
        self.lines.push(std::iter::once(0).chain(after_newlines).collect());
        self.files.push(Source { name: shown.unwrap_or_else(|| path.to_owned()), text });
        self.index.insert((m, name), id);
        self.known.insert(key, id);
        id
    }

    /// Where a file may be: as it is called where clang ran, or here.
    fn paths(&self, path: &Path, directory: Option<&Path>) -> Vec<PathBuf> {
        let there = directory.map(|directory| directory.join(path));
        let is_here = directory.is_none_or(|directory| self.here.as_deref() == Some(directory));
        match there {
            Some(there) if !is_here => vec![there, path.to_owned()],
            there => std::iter::once(path.to_owned()).chain(there).collect(),
        }
    }

    /// What to call a file that clang found from another directory.
    fn shown(&self, path: &Path, found: &Path) -> Option<String> {
        let here = self.here.as_deref()?;
        if path.is_absolute() || found == path || found.parent() == Some(here) {
            return None;
        }
        let found = found.canonicalize().ok()?;
        let below = found.strip_prefix(here.canonicalize().ok()?).map(Path::to_owned);
        Some(below.unwrap_or(found).display().to_string())
    }

    /// How much of a line to underline: a word, or one character.
    fn word_length(&self, file: FileId, line: u32, column: u32) -> u32 {
        let start = line.checked_sub(1).and_then(|line| self.lines[file.0 as usize].get(line as usize).copied());
        let at = start.map(|start| start as usize + column.saturating_sub(1) as usize);
        let rest = at.and_then(|at| self.files[file.0 as usize].text.get(at..)).unwrap_or("");
        let word = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        word.max(1) as u32
    }
}

/// Whether a function comes from a header of the system, such as those of the C++ library, or from ours for them.
pub(super) fn is_in_system_header(module: &Module, function: MetadataId) -> bool {
    module.metadata.subprogram_file(function).is_some_and(|(name, _)| is_system_header(module, name))
}

fn is_system_header(module: &Module, file: Symbol) -> bool {
    let name = module.name(file);
    ["/usr/", "/opt/"].iter().any(|start| name.starts_with(start)) || headers::is_ours(name)
}

fn read(path: &Path) -> Option<String> {
    let small = std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.len() <= MOST_BYTES);
    if small { std::fs::read_to_string(path).ok() } else { None }
}
