//! The files of `programs/`.

use std::path::{Path, PathBuf};

/// Name and text of each file with this extension, in a fixed order.
pub fn texts(extension: &str) -> Vec<(String, String)> {
    let mut paths = Vec::new();
    collect(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../programs"), extension, &mut paths);
    paths.sort();
    let text = |path: &PathBuf| std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    paths.iter().map(|path| (path.display().to_string(), text(path))).collect()
}

fn collect(folder: &Path, extension: &str, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the corpus") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            collect(&path, extension, paths);
        } else if path.extension().is_some_and(|e| e == extension) {
            paths.push(path);
        }
    }
}
