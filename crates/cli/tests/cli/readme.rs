//! The README shows what the tool prints.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const BLOCK: &str = "```console\n$ fencepost ";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn printed(arguments: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    let output = command.args(arguments.split_whitespace()).current_dir(root()).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Hides what an answer cost, which may change at any time.
fn without_costs(text: &str) -> String {
    let hidden = |line: &str| match line.split_once(" blocked (") {
        // The number of executions is the answer, and only the time is cost.
        Some(_) => line.rsplit_once(", ").map_or(line, |(counts, _)| counts).to_owned(),
        None if line.contains(" s, ") && line.ends_with('B') => "...".to_owned(),
        None => line.to_owned(),
    };
    text.lines().map(hidden).collect::<Vec<_>>().join("\n")
}

/// The README with the output of each command as it is now, where that differs by more than its cost.
fn renewed(readme: &str) -> String {
    let mut parts = readme.split(BLOCK);
    let mut out = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let (arguments, rest) = part.split_once('\n').unwrap();
        let (shown, rest) = rest.split_once("```").unwrap();
        let now = printed(arguments);
        let text = if without_costs(&now) == without_costs(shown) { shown } else { &now };
        out.push_str(&format!("{BLOCK}{arguments}\n{text}```{rest}"));
    }
    out
}

#[test]
fn the_readme_shows_what_the_commands_print() {
    let path = root().join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    assert!(readme.contains(BLOCK));
    let renewed = renewed(&readme);
    if env::var_os("UPDATE_README").is_some() {
        fs::write(&path, renewed).unwrap();
    } else {
        assert!(
            readme == renewed,
            "output in README.md is out of date: run `UPDATE_README=1 cargo test -p fencepost readme`"
        );
    }
}
