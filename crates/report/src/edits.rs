//! A fix as edits of the source: where an access names its ordering with one word, the word is replaced.
//!
//! `atomic_load_explicit(&x, memory_order_relaxed)`, `x.load(rlx)` and `x.load(Ordering::Relaxed)` are of this kind. An
//! ordering that a macro or a variable hides, a fence that is put in, and a plain access that is made atomic are not:
//! these fixes are words.

use std::ops::Range;

use fencepost_program::{FileId, Ordering, Source};
use fencepost_story::{Fix, FixChange};

/// A word to replace. Columns count from 1; all characters of the line up to the end of the word are ASCII.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    pub file: FileId,
    pub line: u32,
    pub columns: Range<u32>,
    pub text: String,
}

/// All edits of a fix, if it was verified and each of its changes is one.
pub(crate) fn edits(sources: &[Source], fix: &Fix) -> Option<Vec<Edit>> {
    if fix.remains.is_some() {
        return None;
    }
    let mut edits: Vec<Edit> = Vec::new();
    for change in &fix.changes {
        edits.extend(edits_of(sources, change)?);
    }
    Some(edits)
}

fn edits_of(sources: &[Source], change: &FixChange) -> Option<Vec<Edit>> {
    if change.makes_atomic || change.operation == "fence" {
        return None;
    }
    let source = sources.get(change.span.file.0 as usize)?;
    let spellings = if source.name.ends_with(".fp") { &SPELLINGS[..1] } else { &SPELLINGS[1..] };
    let named = |range: Range<usize>| Some((range.clone(), named(spellings, &source.text[range])?));
    let words: Vec<_> = arguments(&source.text, offset(source, change)?)?.into_iter().filter_map(named).collect();
    // A compare-and-swap may name one for its failure, too, which is a load.
    let wanted = match (words.len(), change.operation.as_str()) {
        (1, _) => vec![change.ordering],
        (2, "update" | "access") => vec![change.ordering, change.ordering.without_release()],
        _ => return None,
    };
    let mut edits = Vec::new();
    for ((range, word), wanted) in words.into_iter().zip(wanted) {
        let new = word.ordering.join(wanted);
        if new != word.ordering {
            edits.push(edit(source, change.span.file, range, word.with(new)?)?);
        }
    }
    (!edits.is_empty()).then_some(edits)
}

/// Where the place of a change is in the text. C counts columns in bytes and `.fp` in characters, so they must be the
/// same.
fn offset(source: &Source, change: &FixChange) -> Option<usize> {
    let mut lines = source.text.split_inclusive('\n');
    let before: usize = lines.by_ref().take(change.span.line.checked_sub(1)? as usize).map(str::len).sum();
    let column = change.span.column.checked_sub(1)? as usize;
    lines.next()?.get(..column).filter(|start| start.is_ascii()).map(|_| before + column)
}

fn edit(source: &Source, file: FileId, range: Range<usize>, text: String) -> Option<Edit> {
    let line_start = source.text[..range.start].rfind('\n').map_or(0, |end| end + 1);
    if !source.text[line_start..range.end].is_ascii() {
        return None;
    }
    let line = source.text[..range.start].matches('\n').count() as u32 + 1;
    let column = |at: usize| (at - line_start) as u32 + 1;
    Some(Edit { file, line, columns: column(range.start)..column(range.end), text })
}

/// The arguments of the call that begins at an offset: a path such as `x[i].load`, then parentheses.
fn arguments(text: &str, start: usize) -> Option<Vec<Range<usize>>> {
    let mut tokens = Tokens { text, at: start };
    let mut depth = 0;
    let mut arguments = Vec::new();
    let mut argument = 0;
    for (at, token) in tokens.by_ref() {
        match token {
            b'(' | b'[' | b'{' => {
                if depth == 0 && token == b'(' {
                    argument = at + 1;
                    depth = 1;
                    break;
                }
                depth += 1;
            }
            b']' | b')' | b'}' if depth > 0 => depth -= 1,
            _ if depth > 0 || token.is_ascii_alphanumeric() || b"_.:->".contains(&token) => {}
            _ if token.is_ascii_whitespace() => {}
            _ => return None,
        }
    }
    for (at, token) in tokens {
        match token {
            b'(' | b'[' | b'{' => depth += 1,
            b']' | b')' | b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || depth == 1 && token == b',' {
            let word = &text[argument..at];
            let from = argument + word.len() - word.trim_start().len();
            arguments.push(from..from + word.trim().len());
            argument = at + 1;
        }
        if depth == 0 {
            return Some(arguments);
        }
    }
    None
}

/// The bytes of a text with their places, without comments, strings and character constants.
struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl Iterator for Tokens<'_> {
    type Item = (usize, u8);

    fn next(&mut self) -> Option<(usize, u8)> {
        loop {
            let rest = &self.text[self.at..];
            let first = *rest.as_bytes().first()?;
            let skipped = if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/")? + 2
            } else if first == b'"' || first == b'\'' {
                quoted(rest.as_bytes())?
            } else {
                let at = self.at;
                self.at += rest.chars().next()?.len_utf8();
                return Some((at, first));
            };
            self.at += skipped;
        }
    }
}

/// The length of a string or character constant with its quotes.
fn quoted(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    while *text.get(at)? != text[0] {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    Some(at + 1)
}

/// How a language names orderings: what stands before each name, and the names.
struct Spelling {
    before: &'static [&'static str],
    names: [(Ordering, &'static str); 5],
}

const fn names(
    relaxed: &'static str,
    acquire: &'static str,
    release: &'static str,
    acqrel: &'static str,
    sc: &'static str,
) -> [(Ordering, &'static str); 5] {
    [
        (Ordering::Relaxed, relaxed),
        (Ordering::Acquire, acquire),
        (Ordering::Release, release),
        (Ordering::AcqRel, acqrel),
        (Ordering::SeqCst, sc),
    ]
}

/// The first is that of `.fp`. Then C and C++, GCC's builtins, and Rust.
const SPELLINGS: [Spelling; 4] = [
    Spelling { before: &[""], names: names("rlx", "acq", "rel", "acqrel", "sc") },
    Spelling {
        before: &["memory_order_", "std::memory_order_", "memory_order::", "std::memory_order::"],
        names: names("relaxed", "acquire", "release", "acq_rel", "seq_cst"),
    },
    Spelling { before: &["__ATOMIC_"], names: names("RELAXED", "ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST") },
    Spelling {
        before: &["Ordering::", "atomic::Ordering::", "std::sync::atomic::Ordering::", ""],
        names: names("Relaxed", "Acquire", "Release", "AcqRel", "SeqCst"),
    },
];

/// An ordering in the source.
struct Word<'a> {
    spelling: &'a Spelling,
    before: &'static str,
    ordering: Ordering,
}

impl Word<'_> {
    /// Another ordering in the same spelling.
    fn with(&self, ordering: Ordering) -> Option<String> {
        let (_, name) = self.spelling.names.iter().find(|(other, _)| *other == ordering)?;
        Some(format!("{}{name}", self.before))
    }
}

fn named<'a>(spellings: &'a [Spelling], word: &str) -> Option<Word<'a>> {
    spellings.iter().find_map(|spelling| {
        spelling.before.iter().find_map(|&before| {
            let rest = word.strip_prefix(before)?;
            let &(ordering, _) = spelling.names.iter().find(|(_, name)| *name == rest)?;
            Some(Word { spelling, before, ordering })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{Fix, FixChange, edits};
    use fencepost_program::{Ordering, Source, Span};

    /// The text after a change of what begins at `^`, if that can be done with edits.
    fn changed(name: &str, marked: &str, operation: &str, ordering: Ordering) -> Option<String> {
        let at = marked.find('^').expect("a mark");
        let source = Source { name: name.into(), text: marked.replace('^', "") };
        let line_start = marked[..at].rfind('\n').map_or(0, |end| end + 1);
        let line = marked[..at].matches('\n').count() as u32 + 1;
        let span = Span { line, column: (at - line_start) as u32 + 1, length: 1, ..Span::default() };
        let (function, operation) = (String::new(), operation.into());
        let change = FixChange { span, function, operation, ordering, makes_atomic: false };
        let fix = Fix { text: String::new(), changes: vec![change], remains: None };
        let mut text = source.text.clone();
        let mut edits = edits(&[source], &fix)?;
        edits.reverse();
        for edit in edits {
            let line: usize = text.split_inclusive('\n').take(edit.line as usize - 1).map(str::len).sum();
            let column = |column: u32| line + column as usize - 1;
            text.replace_range(column(edit.columns.start)..column(edit.columns.end), &edit.text);
        }
        Some(text)
    }

    #[test]
    fn an_ordering_that_is_named_is_replaced_in_its_own_spelling() {
        let load = |name: &str, text: &str| changed(name, text, "load", Ordering::Acquire);
        let cases = [
            ("a.fp", "b = ^x[i].load(rlx);", "b = x[i].load(acq);"),
            ("a.fp", "^wait(y == 1, rlx);", "wait(y == 1, acq);"),
            (
                "a.c",
                "^atomic_load_explicit(&x, memory_order_relaxed)",
                "atomic_load_explicit(&x, memory_order_acquire)",
            ),
            (
                "a.c",
                "^__atomic_load_n(&x[f(1, ')')],\n  __ATOMIC_RELAXED)",
                "__atomic_load_n(&x[f(1, ')')],\n  __ATOMIC_ACQUIRE)",
            ),
            ("a.cc", "x.^load(std::memory_order::relaxed)", "x.load(std::memory_order::acquire)"),
            ("a.rs", "^x.load(Ordering::Relaxed)", "x.load(Ordering::Acquire)"),
        ];
        for (name, before, after) in cases {
            assert_eq!(load(name, before).as_deref(), Some(after));
        }
    }

    #[test]
    fn only_the_ordering_of_the_access_itself_is_replaced() {
        let nested = "^f(&y, g(&x, memory_order_relaxed), memory_order_relaxed) h(memory_order_relaxed)";
        let after = "f(&y, g(&x, memory_order_relaxed), memory_order_release) h(memory_order_relaxed)";
        assert_eq!(changed("a.c", nested, "store", Ordering::Release).as_deref(), Some(after));
    }

    #[test]
    fn both_orderings_of_a_compare_and_swap_are_replaced() {
        let both = |ordering, after: &str| {
            let before = "x.^cas(e, 1, memory_order_relaxed, memory_order_relaxed)";
            assert_eq!(changed("a.cc", before, "update", ordering).as_deref(), Some(after));
        };
        both(Ordering::AcqRel, "x.cas(e, 1, memory_order_acq_rel, memory_order_acquire)");
        both(Ordering::Release, "x.cas(e, 1, memory_order_release, memory_order_relaxed)");
    }

    #[test]
    fn what_names_no_ordering_is_left_alone() {
        let texts = [
            "^x = 1;",
            "^LOAD(x);",
            "^f(x, order);",
            "^f(x, weak ? memory_order_relaxed : memory_order_acquire)",
            "^f(x, /* memory_order_relaxed */)",
            "^f(x, memory_order_relaxed",
            "^f(x, memory_order_acquire)",
            "/* é */ ^f(x, memory_order_relaxed)",
            "^f(x, rlx)",
            "^f(memory_order_relaxed, memory_order_relaxed)",
        ];
        for text in texts {
            assert_eq!(changed("a.c", text, "load", Ordering::Acquire), None, "{text}");
        }
    }
}
