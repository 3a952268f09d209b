//! ARCHITECTURE.md has a row for each crate, with the crates that it depends on.

use std::collections::BTreeMap;
use std::fs;

use crate::pages::root;

/// For each crate, the other crates of the workspace that it depends on, except for its tests.
fn manifests() -> BTreeMap<String, Vec<String>> {
    let of = |entry: fs::DirEntry| {
        let manifest = fs::read_to_string(entry.path().join("Cargo.toml")).unwrap();
        let sections = manifest.split("\n[").filter(|section| section.starts_with("dependencies]"));
        let lines = sections.flat_map(|section| section.lines());
        let names = lines.filter_map(|line| line.strip_prefix("fencepost-")?.split(['.', ' ']).next());
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort();
        (entry.file_name().into_string().unwrap(), names)
    };
    fs::read_dir(root().join("crates")).unwrap().map(|entry| of(entry.unwrap())).collect()
}

/// The same, from the table of crates.
fn documented() -> BTreeMap<String, Vec<String>> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let section = text.split("\n## ").find(|section| section.starts_with("Crates")).unwrap();
    let of = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let name = cells.get(1)?.strip_prefix('`')?.strip_suffix('`')?;
        let names = cells[3].split(", ").filter(|name| !name.is_empty());
        Some((name.to_owned(), names.map(str::to_owned).collect()))
    };
    section.lines().filter_map(of).collect()
}

#[test]
fn the_table_of_crates_has_their_dependencies() {
    assert_eq!(documented(), manifests());
}
