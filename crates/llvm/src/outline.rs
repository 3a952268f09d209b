//! The text of a module, taken apart into its definitions, so that only those that are needed are read.
//!
//! A library has hundreds of functions, and a program uses a few of them. To find out which, it is enough to know where
//! each definition begins and ends, and which names stand in it.

use std::ops::Range;

use hashbrown::{HashMap, HashSet};

/// A module as text, by a compiler: each definition begins a line.
pub struct Outline {
    text: String,
    /// What every part of the module needs: the target, types, groups.
    common: Vec<Range<usize>>,
    items: Vec<Item>,
    by_name: HashMap<Box<str>, usize>,
}

struct Item {
    kind: Kind,
    text: Range<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Declaration,
    /// A function or a constant.
    Code,
    /// What can change.
    Variable,
}

/// Functions that run before `main`. They are needed if the program uses a variable that they set.
const CONSTRUCTORS: &str = "llvm.global_ctors";

/// A part of a module that grows.
pub struct Part<'o> {
    outline: &'o Outline,
    chosen: Vec<bool>,
    /// What stands in the chosen definitions and is not defined in this module.
    missing: HashSet<&'o str>,
}

impl Outline {
    pub fn new(text: String) -> Outline {
        let mut outline = Outline { text, common: Vec::new(), items: Vec::new(), by_name: HashMap::new() };
        let mut at = 0;
        while at < outline.text.len() {
            let end = line_end(&outline.text, at);
            let line = &outline.text[at..end];
            let kind = match line.as_bytes().first() {
                Some(b'@') if line.contains("= external ") || line.contains("= extern_weak ") => {
                    Some(Kind::Declaration)
                }
                Some(b'@') if line.contains(" constant ") || line.starts_with("@llvm.") => Some(Kind::Code),
                Some(b'@') => Some(Kind::Variable),
                Some(b'd') if line.starts_with("define ") => Some(Kind::Code),
                Some(b'd') if line.starts_with("declare ") => Some(Kind::Declaration),
                Some(b't' | b'%' | b'$') => {
                    outline.common.push(at..end);
                    None
                }
                // Attributes, metadata and comments.
                _ => None,
            };
            let end = if line.starts_with("define ") { body_end(&outline.text, end) } else { end };
            if let (Some(kind), Some(name)) = (kind, names(line).next()) {
                outline.by_name.insert(name.into(), outline.items.len());
                outline.items.push(Item { kind, text: at..end });
            }
            at = end;
        }
        outline
    }

    pub fn defines(&self, name: &str) -> bool {
        self.by_name.get(name).is_some_and(|&i| self.items[i].kind != Kind::Declaration)
    }

    /// The names of all definitions.
    pub fn definitions(&self) -> impl Iterator<Item = &str> {
        let items = &self.items;
        self.by_name.iter().filter(|(_, i)| items[**i].kind != Kind::Declaration).map(|(name, _)| &**name)
    }

    /// A part with nothing in it.
    pub fn part(&self) -> Part<'_> {
        Part { outline: self, chosen: vec![false; self.items.len()], missing: HashSet::new() }
    }

    /// Chooses a definition and all that it mentions, and notes what of that is not defined here.
    fn follow<'o>(&'o self, name: &str, chosen: &mut [bool], missing: &mut HashSet<&'o str>) {
        let Some(&first) = self.by_name.get(name) else { return };
        let mut todo = vec![first];
        while let Some(i) = todo.pop() {
            if std::mem::replace(&mut chosen[i], true) {
                continue;
            }
            let item = &self.items[i];
            let mut names = names(&self.text[item.text.clone()]);
            if item.kind == Kind::Declaration {
                missing.extend(names.next());
                continue;
            }
            todo.extend(names.filter_map(|name| self.by_name.get(name).copied()));
        }
    }
}

impl<'o> Part<'o> {
    /// Adds a definition, if the module has it, and all that it needs. Returns whether there is something new.
    pub fn add(&mut self, name: &str) -> bool {
        let Some(&i) = self.outline.by_name.get(name) else { return false };
        if self.outline.items[i].kind == Kind::Declaration || self.chosen[i] {
            return false;
        }
        self.outline.follow(name, &mut self.chosen, &mut self.missing);
        self.add_constructors();
        true
    }

    fn add_constructors(&mut self) {
        let (mut chosen, mut missing) = (vec![false; self.chosen.len()], HashSet::new());
        self.outline.follow(CONSTRUCTORS, &mut chosen, &mut missing);
        let variable = |i: usize| self.outline.items[i].kind == Kind::Variable;
        if (0..chosen.len()).any(|i| chosen[i] && self.chosen[i] && variable(i)) {
            self.chosen.iter_mut().zip(&chosen).for_each(|(all, new)| *all |= new);
            self.missing.extend(missing);
        }
    }

    /// Names that stand in the part and are not defined in its module.
    pub fn missing(&self) -> impl Iterator<Item = &'o str> {
        self.missing.iter().copied()
    }

    pub fn is_empty(&self) -> bool {
        !self.chosen.contains(&true)
    }

    /// The text of a module that is this part.
    pub fn text(&self) -> String {
        let items =
            self.outline.items.iter().zip(&self.chosen).filter(|(_, chosen)| **chosen).map(|(item, _)| &item.text);
        let ranges = self.outline.common.iter().chain(items);
        ranges.map(|range| &self.outline.text[range.clone()]).collect()
    }
}

/// Behind the end of a line.
fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |length| at + length + 1)
}

/// Behind the line that closes a function.
fn body_end(text: &str, at: usize) -> usize {
    match text[at..].starts_with('}') {
        true => line_end(text, at),
        false => text[at..].find("\n}").map_or(text.len(), |length| line_end(text, at + length + 1)),
    }
}

/// What could be the name of a global or a function. In the text of a string, there may be others.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('@').filter_map(move |(at, _)| {
        let rest = &text[at + 1..];
        let name = match rest.strip_prefix('"') {
            Some(quoted) => &quoted[..quoted.find('"')?],
            None => {
                let end = rest.bytes().position(|b| !(b.is_ascii_alphanumeric() || b"_.-+$".contains(&b)));
                &rest[..end.unwrap_or(rest.len())]
            }
        };
        (!name.is_empty()).then_some(name)
    })
}
