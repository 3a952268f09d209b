//! No execution of a program of the corpus is visited twice.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use fencepost_explore::{Options, explore};
use fencepost_frontend::read;
use fencepost_models::{Engine, Model};
use fencepost_story::Properties;
use fencepost_testing::{files, is_quick, sample};

/// Enough to find out, even of programs that have very many.
const EXECUTIONS: u64 = 500;

fn programs() -> Vec<PathBuf> {
    let directories = ["litmus", "litmus/x86", "litmus/linux", "jam21", "examples", "explore", "ra", "rc20"];
    directories.iter().flat_map(|directory| files(directory, &["fp", "litmus"])).collect()
}

fn is_large(file: &Path) -> bool {
    file.parent().is_some_and(|directory| directory.ends_with("ra") || directory.ends_with("rc20"))
}

#[test]
fn no_execution_of_the_corpus_is_visited_twice() {
    let mut visited = 0;
    for file in sample(programs()) {
        let input = read(&file).unwrap_or_else(|e| panic!("{e}"));
        for model in Model::of(Engine::Explore) {
            // JAM21 visits graphs that it then forbids, and of the large programs too many.
            if model.admit(Engine::Explore, &input.program).is_err() || model.is_jam21() && is_large(&file) {
                continue;
            }
            let max_executions = Some(EXECUTIONS);
            // Loops that never end would be followed for ever.
            let options =
                Options { properties: Properties::NONE, unroll: Some(2), max_executions, ..Options::new(model) };
            let mut seen = HashSet::new();
            explore(&input.program, &options, &Default::default(), |execution| {
                visited += 1;
                let new = seen.insert((execution.graph().canonical(), execution.choices()));
                assert!(new, "{} under {model}: an execution was visited twice", file.display());
            })
            .unwrap();
        }
    }
    assert!(visited > 20_000 || is_quick(), "only {visited} executions");
}
