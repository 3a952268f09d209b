//! ARCHITECTURE.md has a row for each crate, with the crates that it depends on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

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

/// Crates whose modules import each other without a cycle.
const LAYERED: [&str; 1] = ["check"];

/// All source files under a directory.
fn sources(directory: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// For each top-level module of a crate, the others that it names as `crate::module`.
fn imports(name: &str) -> BTreeMap<String, BTreeSet<String>> {
    let directory = root().join("crates").join(name).join("src");
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in sources(&directory) {
        let inside = path.strip_prefix(&directory).unwrap().with_extension("");
        let module = inside.iter().next().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        let named = text.split("crate::").skip(1);
        let named = named.filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next());
        imports.entry(module).or_default().extend(named.map(str::to_owned));
    }
    imports.remove("lib");
    let modules: BTreeSet<String> = imports.keys().cloned().collect();
    for (module, named) in &mut imports {
        named.retain(|other| other != module && modules.contains(other));
    }
    imports
}

#[test]
fn modules_do_not_import_each_other_in_a_cycle() {
    for name in LAYERED {
        let mut imports = imports(name);
        // Modules that import nothing that is left are above no other.
        while let Some(module) = imports.iter().find(|(_, named)| named.is_empty()).map(|(module, _)| module.clone()) {
            imports.remove(&module);
            imports.values_mut().for_each(|named| _ = named.remove(&module));
        }
        assert!(imports.is_empty(), "{name}: these modules import each other, or import those that do: {imports:?}");
    }
}
