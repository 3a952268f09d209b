//! The Markdown pages and the Rust files of the repository.

use std::path::{Path, PathBuf};
use std::{env, fs};

pub struct Page {
    /// Relative to the root of the repository.
    pub path: PathBuf,
    pub text: String,
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages in the root of the repository and below `docs`.
pub fn pages() -> Vec<Page> {
    files("md", "docs")
}

/// The Rust files of all crates.
pub fn sources() -> Vec<Page> {
    [files("rs", "crates"), files("rs", "xtask")].into_iter().flatten().collect()
}

/// The files with this extension in the root of the repository and below a directory.
fn files(extension: &str, directory: &str) -> Vec<Page> {
    let mut paths = Vec::new();
    collect(Path::new(""), false, extension, &mut paths);
    collect(Path::new(directory), true, extension, &mut paths);
    paths.sort();
    paths.into_iter().map(|path| Page { text: fs::read_to_string(root().join(&path)).unwrap(), path }).collect()
}

fn collect(directory: &Path, recursive: bool, extension: &str, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(root().join(directory)).unwrap() {
        let entry = entry.unwrap();
        let path = directory.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            if recursive {
                collect(&path, true, extension, paths);
            }
        } else if path.extension().is_some_and(|found| found == extension) {
            paths.push(path);
        }
    }
}
