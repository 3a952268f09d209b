//! What a program prints natively and in its executions.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use fencepost_explore::{Options, Watch, explore};
use fencepost_frontend::{Settings, read_as};
use fencepost_models::Model;
use fencepost_testing::Source;

const NATIVE_RUNS: u32 = 5;

/// For each execution, what each thread prints.
pub fn explored_output(source: &Source, arguments: &[OsString]) -> BTreeSet<Vec<String>> {
    let settings = Settings { output: true, ..Settings::default() };
    let program = read_as(&source.path, arguments, settings).unwrap_or_else(|e| panic!("{e}")).program;
    let mut found = BTreeSet::new();
    explore(&program, &Options::new(Model::Rc11), &Watch::default(), |execution| {
        let mut threads = BTreeMap::<String, String>::new();
        for line in execution.printed() {
            *threads.entry(line.thread).or_default() += &format!("{}\n", line.text);
        }
        found.insert(threads.into_values().collect());
    })
    .unwrap_or_else(|e| panic!("{e}"));
    found
}

/// What each run prints. Every run must succeed.
pub fn native_output(source: &Source, arguments: &[OsString]) -> BTreeSet<String> {
    let path = source.path.display();
    let name = format!("cxx-{}-{}", std::process::id(), source.name());
    let binary = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut compiler = Command::new("g++");
    compiler.args(["-O0", "-w", "-pthread", "-o"]).args([&binary, &source.path]).args(arguments).arg("-latomic");
    assert!(compiler.status().expect("g++ runs").success(), "g++ compiles {path}");
    let mut found = BTreeSet::new();
    for _ in 0..NATIVE_RUNS {
        let output = Command::new(&binary).stdin(Stdio::null()).output().expect("the program runs");
        assert!(output.status.success(), "{path}: {}", output.status);
        found.insert(String::from_utf8([output.stdout, output.stderr].concat()).expect("text"));
    }
    std::fs::remove_file(&binary).expect("it was just made");
    found
}

/// Whether a text is made of the threads' texts, each in its order: threads can print within each other's lines.
pub fn is_merge(text: &str, threads: &[String]) -> bool {
    let threads: Vec<&[u8]> = threads.iter().map(|thread| thread.as_bytes()).collect();
    // How much of each thread's text can be in the text so far.
    let mut parts = BTreeSet::from([vec![0; threads.len()]]);
    for byte in text.bytes() {
        let mut longer = BTreeSet::new();
        for part in parts {
            for thread in 0..threads.len() {
                if threads[thread].get(part[thread]) == Some(&byte) {
                    let mut next = part.clone();
                    next[thread] += 1;
                    longer.insert(next);
                }
            }
        }
        parts = longer;
    }
    let all: Vec<usize> = threads.iter().map(|thread| thread.len()).collect();
    parts.contains(&all)
}

#[test]
fn a_merge_keeps_the_order_of_each_thread_and_has_all_of_it() {
    let threads = ["ab\n".to_owned(), "ac\n".to_owned()];
    for text in ["ab\nac\n", "aabc\n\n", "aac\nb\n", "ac\nab\n"] {
        assert!(is_merge(text, &threads), "{text:?}");
    }
    for text in ["ab\n", "ba\nac\n", "ab\nac\nd", ""] {
        assert!(!is_merge(text, &threads), "{text:?}");
    }
}
