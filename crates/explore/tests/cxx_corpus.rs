//! `programs/c/cpp`: each part of the C++ library at work in two threads. What holds for `check` holds here, each
//! `broken` line goes wrong. What these programs and those of `programs/c/streams` print natively is among what their
//! executions print.

#[path = "cxx_corpus/output.rs"]
mod output;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use fencepost_explore::{Options, Watch, count};
use fencepost_frontend::read_with;
use fencepost_models::Model;
use fencepost_program::Program;
use fencepost_story::{FindingKind, Outcome};
use fencepost_testing::{Source, sample, sources};

use output::{explored_output, is_merge, native_output};

fn programs() -> Vec<Source> {
    let found = sources("c/cpp", &["cc"]);
    assert!(found.len() >= 40, "{}", found.len());
    found
}

fn compiled(path: &Path, definition: Option<&str>) -> Program {
    let arguments: Vec<OsString> = ["-std=c++20"].into_iter().chain(definition).map(OsString::from).collect();
    read_with(path, &arguments).unwrap_or_else(|e| panic!("{e}")).program
}

#[test]
fn correct_programs_hold() {
    for source in sample(programs()) {
        let found = count(&compiled(&source.path, None), &Options::new(Model::Rc11), &Watch::default()).unwrap();
        assert_eq!(found.verdict.outcome, Outcome::Holds, "{}", source.path.display());
        assert!(found.complete > 0, "{}", source.path.display());
    }
}

#[test]
fn each_broken_variant_goes_wrong_in_the_way_of_its_header() {
    for source in sample(programs()) {
        for broken in source.all("broken") {
            let (definition, kind) = broken.split_once(' ').expect("a definition and a kind of error");
            let program = compiled(&source.path, Some(definition));
            let found = count(&program, &Options::new(Model::Rc11), &Watch::default()).unwrap();
            let shown = format!("{} {definition}", source.path.display());
            assert_eq!(found.verdict.outcome, Outcome::Violated, "{shown}");
            // A thread that may miss a write to a new object may also miss the allocation.
            let expected: &[FindingKind] = match kind {
                "race" => &[FindingKind::DataRace, FindingKind::UseAfterFree],
                "freed" => &[FindingKind::UseAfterFree],
                "deadlock" => &[FindingKind::Deadlock],
                "assertion" => &[FindingKind::Assertion],
                _ => panic!("{shown}: {kind} is no kind of error"),
            };
            let first = &found.verdict.violations[0];
            assert!(expected.contains(&first.kind), "{shown}: {}", first.message);
        }
    }
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// What it prints has numbers that the system chooses.
const PRINTS_IDENTITIES: &str = "thread-identities.cc";

/// Compares each program, in a quick run every eighth. Arguments for the compilers are those given and its `flags`.
/// What includes none of the headers for output prints nothing, and need not be explored for that.
fn compare_with_native_output(programs: Vec<Source>, arguments: &[&str]) {
    for source in sample(programs) {
        let flags = source.all("flags").flat_map(str::split_whitespace);
        let flags: Vec<OsString> = arguments.iter().copied().chain(flags).map(OsString::from).collect();
        let can_print = ["<iostream>", "<cstdio>"].iter().any(|header| source.text.contains(header));
        let nothing = || BTreeSet::from([Vec::new()]);
        let mut explored = if can_print { explored_output(&source, &flags) } else { nothing() };
        let mut native = native_output(&source, &flags);
        if source.path.ends_with(PRINTS_IDENTITIES) {
            explored = explored.iter().map(|threads| threads.iter().map(|text| letters(text)).collect()).collect();
            native = native.iter().map(|text| letters(text)).collect();
        }
        for text in native {
            let some_execution_prints_it = explored.iter().any(|threads| is_merge(&text, threads));
            assert!(some_execution_prints_it, "{}: {text:?} is not in {explored:?}", source.path.display());
        }
    }
}

#[test]
fn what_a_program_prints_natively_is_what_the_threads_of_some_execution_print() {
    compare_with_native_output(programs(), &["-std=c++20"]);
}

#[test]
fn what_a_program_with_streams_prints_natively_is_what_the_threads_of_some_execution_print() {
    compare_with_native_output(sources("c/streams", &["cc"]), &[]);
}

/// libc++ 19 does not have it; and what exceptions say is another text there.
const ONLY_LIBSTDCXX: [&str; 2] = ["atomic-shared-ptr.cc", "library-exceptions.cc"];

#[test]
fn programs_mean_the_same_with_libcxx() {
    let is_for_both = |source: &Source| !ONLY_LIBSTDCXX.iter().any(|name| source.path.ends_with(name));
    for source in sample(programs()).filter(is_for_both) {
        let broken = source.all("broken").next().and_then(|broken| broken.split_once(' '));
        let variants = [Some((None, Outcome::Holds)), broken.map(|(d, _)| (Some(d), Outcome::Violated))];
        for (definition, expected) in variants.into_iter().flatten() {
            let arguments = ["-std=c++20", "-stdlib=libc++", "-fexperimental-library"].into_iter().chain(definition);
            let arguments: Vec<OsString> = arguments.map(OsString::from).collect();
            let program = read_with(&source.path, &arguments).unwrap_or_else(|e| panic!("{e}")).program;
            let found = count(&program, &Options::new(Model::Rc11), &Watch::default()).unwrap();
            assert_eq!(found.verdict.outcome, expected, "{} {definition:?}", source.path.display());
        }
    }
}

/// Our headers stand in for the library's in each of its standards.
#[test]
fn headers_are_read_in_every_standard() {
    let text = "#include <atomic>\n#include <condition_variable>\n#include <future>\n#include <memory>\n#include <mutex>\n\
        #include <thread>\n#include <cassert>\nstatic std::mutex a, b;\nstatic std::condition_variable_any changed;\n\
        static bool ready;\nstatic std::shared_ptr<int> pointer;\nint main() {\n\
        std::thread other([] {\n  std::lock(a, b);\n  ready = true;\n  a.unlock();\n  b.unlock();\n  changed.notify_all();\n\
        std::atomic_store(&pointer, std::make_shared<int>(1));\n});\n{\n  std::unique_lock<std::mutex> lock(a);\n\
        changed.wait(lock, [] { return ready; });\n}\nother.join();\nassert(*std::atomic_load(&pointer) == 1);\n\
        assert(std::async(std::launch::async, [] { return 2; }).get() == 2);\n}\n";
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("standards-{}.cc", std::process::id()));
    std::fs::write(&path, text).expect("the target directory can be written");
    for standard in ["-std=c++11", "-std=c++14", "-std=c++17", "-std=c++20"] {
        let program =
            read_with(&path, &[OsString::from(standard)]).unwrap_or_else(|e| panic!("{standard}: {e}")).program;
        let found = count(&program, &Options::new(Model::Rc11), &Watch::default()).unwrap();
        assert_eq!(found.verdict.outcome, Outcome::Holds, "{standard}");
    }
    std::fs::remove_file(&path).expect("it was just written");
}
