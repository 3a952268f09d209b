//! The programs of `programs/` and what their headers say.
//!
//! A header is a list of keys with values, in the comment that a file begins with:
//!
//! ```text
//! //! title: Message passing          .fp, and C with line comments
//! /* title: Message passing           C: the first comment
//!  * check: robust
//!  */
//! expect=rc11=not-robust              .litmus: lines before the initial values
//! ```

use std::fs;
use std::path::{Path, PathBuf};

/// The directory `programs` of the repository.
pub fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs").canonicalize().expect("the corpus is there")
}

/// The files of a directory below `programs` that have one of these extensions, in a fixed order.
pub fn files(directory: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let directory = programs().join(directory);
    let entries = fs::read_dir(&directory).unwrap_or_else(|e| panic!("{}: {e}", directory.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| extension(file).is_some_and(|extension| extensions.contains(&extension)));
    files.sort();
    assert!(!files.is_empty(), "{} has no {extensions:?}", directory.display());
    files
}

/// The same with all directories below it.
pub fn files_below(directory: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files_below(&path, extensions));
        } else if extension(&path).is_some_and(|extension| extensions.contains(&extension)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn extension(file: &Path) -> Option<&str> {
    file.extension().and_then(|extension| extension.to_str())
}

/// A file of the corpus.
pub struct Source {
    pub path: PathBuf,
    pub text: String,
    header: Vec<(String, String)>,
}

/// The files of a directory, with their headers.
pub fn sources(directory: &str, extensions: &[&str]) -> Vec<Source> {
    files(directory, extensions).into_iter().map(Source::read).collect()
}

impl Source {
    pub fn read(path: PathBuf) -> Source {
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let header = if extension(&path) == Some("litmus") { litmus_header(&text) } else { comment_header(&text) };
        Source { path, text, header }
    }

    /// The values of a key, in the order of the lines.
    pub fn all<'s>(&'s self, key: &'s str) -> impl Iterator<Item = &'s str> {
        self.header.iter().filter(move |(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The first value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.header.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The value of a key that the header must have.
    pub fn expect(&self, key: &str) -> &str {
        self.get(key).unwrap_or_else(|| panic!("{} has no `{key}` in its header", self.path.display()))
    }

    /// The words `name=value` of all values of a key.
    pub fn pairs<'s>(&'s self, key: &'s str) -> impl Iterator<Item = (&'s str, &'s str)> {
        let pair = |word: &'s str| {
            word.split_once('=').unwrap_or_else(|| panic!("{}: `{word}` is not name=value", self.path.display()))
        };
        self.all(key).flat_map(str::split_whitespace).map(pair)
    }

    /// The value that a key gives for a name, in a line such as `outcome=sc=never rc11=sometimes`.
    pub fn of<'s>(&'s self, key: &'s str, name: &str) -> Option<&'s str> {
        self.pairs(key).find(|(word, _)| *word == name).map(|(_, value)| value)
    }

    /// The file name without its extension.
    pub fn name(&self) -> &str {
        self.path.file_stem().and_then(|name| name.to_str()).expect("names are UTF-8")
    }

    /// The text of a line, which are numbered from one.
    pub fn line(&self, number: u32) -> &str {
        self.text.lines().nth((number as usize).wrapping_sub(1)).unwrap_or("")
    }
}

fn comment_header(text: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = if text.starts_with("/*") {
        text.split("*/").next().unwrap_or("").lines().collect()
    } else {
        text.lines().take_while(|line| line.starts_with("//")).collect()
    };
    let entry = |line: &str| {
        let (key, value) = line.trim_start_matches(['/', '*', '!', ' ']).split_once(": ")?;
        (!key.contains(' ')).then(|| (key.to_owned(), value.trim().to_owned()))
    };
    lines.into_iter().filter_map(entry).collect()
}

fn litmus_header(text: &str) -> Vec<(String, String)> {
    let lines = text.lines().take_while(|line| !line.trim_start().starts_with('{'));
    let entry = |line: &str| line.split_once('=').map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()));
    lines.filter(|line| !line.starts_with('"')).filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(header: &[(String, String)]) -> Vec<(&str, &str)> {
        header.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect()
    }

    #[test]
    fn a_header_in_line_comments_ends_with_them() {
        let header = comment_header("//! title: A: b\n//! expect: ra=robust\n\n//! note: c\n");
        assert_eq!(entries(&header), [("title", "A: b"), ("expect", "ra=robust")]);
    }

    #[test]
    fn a_header_in_a_comment_may_have_one_line_or_several() {
        assert_eq!(entries(&comment_header("/*! expect: leak at 5 */\nint x;")), [("expect", "leak at 5")]);
        let header = comment_header("/* title: Lock\n * a sentence: not a key\n * broken: -DA race\n */\n// a: b\n");
        assert_eq!(entries(&header), [("title", "Lock"), ("broken", "-DA race")]);
    }

    #[test]
    fn a_header_of_a_litmus_test_ends_at_the_initial_values() {
        let header = litmus_header("C t\n\"x = y\"\noutcome=sc=never rc11=always\n\n{ x = 1; }\nP0 () { a = 1; }");
        assert_eq!(entries(&header), [("outcome", "sc=never rc11=always")]);
    }

    #[test]
    fn every_program_with_verdicts_has_a_title() {
        for source in sources("examples", &["fp"]).iter().chain(&sources("c", &["c"])) {
            assert!(!source.expect("title").is_empty());
        }
    }
}
