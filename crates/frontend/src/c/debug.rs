//! Places in the source, from debug information.

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
    quotable: Quotable,
}

/// The files whose text may be shown. A `#line` directive can name any file, and so can LLVM IR.
pub(super) enum Quotable {
    /// What clang has read, by its own account.
    Read(HashSet<PathBuf>),
    /// What is below one of these directories.
    Below(Vec<PathBuf>),
}

impl Quotable {
    /// For LLVM IR: what is near it, or near where we are.
    pub(super) fn near(path: &Path) -> Quotable {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Quotable::Below([parent, Path::new(".")].iter().filter_map(|directory| directory.canonicalize().ok()).collect())
    }

    fn allows(&self, path: &Path) -> bool {
        let Ok(path) = path.canonicalize() else { return false };
        match self {
            Quotable::Read(files) => files.contains(&path),
            Quotable::Below(directories) => directories.iter().any(|directory| path.starts_with(directory)),
        }
    }
}

/// Calls that are inlined into each other. In metadata that no compiler made, they may go in circles.
const MOST_INLINED: usize = 1000;
/// A source that is larger is not quoted.
const MOST_BYTES: u64 = 4 << 20;

impl Sources {
    pub(super) fn new(quotable: Quotable) -> Sources {
        Sources { files: Vec::new(), lines: Vec::new(), index: HashMap::new(), quotable }
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
        let paths = [Some(PathBuf::from(path)), directory.map(|d| Path::new(module.name(d)).join(path))];
        let mut allowed = paths.into_iter().flatten().filter(|path| self.quotable.allows(path));
        let text = allowed.find_map(|path| read(&path)).unwrap_or_default();
        let id = FileId(self.files.len() as u32);
        let after_newlines = text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(at, _)| at as u32 + 1);
        self.lines.push(std::iter::once(0).chain(after_newlines).collect());
        self.files.push(Source { name: path.to_owned(), text });
        self.index.insert((m, name), id);
        id
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

/// Whether a function comes from a header of the system, such as those of the C++ library.
pub(super) fn is_in_system_header(module: &Module, function: MetadataId) -> bool {
    module.metadata.subprogram_file(function).is_some_and(|(name, _)| is_system_header(module, name))
}

fn is_system_header(module: &Module, file: Symbol) -> bool {
    ["/usr/", "/opt/"].iter().any(|start| module.name(file).starts_with(start))
}

fn read(path: &Path) -> Option<String> {
    let small = std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.len() <= MOST_BYTES);
    if small { std::fs::read_to_string(path).ok() } else { None }
}
