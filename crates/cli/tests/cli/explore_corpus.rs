//! The programs of the corpus have the outcomes and the counts that their headers say.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use fencepost_testing::{Source, sources};
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Explores some files, and gives the object of each. Of a program with a data race the outcomes are asked for too.
fn explored(model: &str, more: &[&str], files: &[String]) -> HashMap<String, Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.args(["explore", "--model", model, "--properties", "assertions", "--format", "json"]).args(more);
    let output = command.args(files).current_dir(root()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let objects = String::from_utf8(output.stdout).unwrap();
    let named = |line: &str| {
        let object: Value = serde_json::from_str(line).unwrap();
        (object["file"].as_str().unwrap().to_owned(), object)
    };
    objects.lines().map(named).collect()
}

#[test]
fn litmus_tests_have_the_outcomes_of_their_headers() {
    let tests = sources("litmus", &["litmus"]);
    let files: Vec<String> = tests.iter().map(|test| format!("programs/litmus/{}.litmus", test.name())).collect();
    let mut compared = 0;
    for model in ["sc", "rc11"] {
        // A lock that is taken by exchanging can go round for ever.
        let found = explored(model, &["--unroll", "4"], &files);
        for (test, file) in tests.iter().zip(&files) {
            let Some(expected) = test.of("outcome", model) else { continue };
            assert_eq!(found[file]["condition"]["observation"], expected, "{file} under {model}");
            compared += 1;
        }
    }
    assert!(compared >= 99, "{compared}");
}

#[test]
fn programs_have_the_numbers_of_executions_of_their_headers() {
    let names = ["ainc", "casrot", "fib_bench", "indexer", "lastzero", "readers"];
    let files = names.map(|name| format!("programs/explore/{name}.fp"));
    for (file, object) in explored("rc11", &[], &files) {
        let source = Source::read(root().join(&file));
        let executions = &object["executions"];
        let counts = format!("{}+{}", executions["complete"], executions["blocked"]);
        assert_eq!(source.of("expect-executions", "rc11"), Some(counts.as_str()), "{file}");
    }
}
