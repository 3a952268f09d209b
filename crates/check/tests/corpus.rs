//! The programs of both Rocker papers and the examples in their texts get the verdicts that the papers give.
//!
//! `programs/tables` holds the papers' tables. A program's header (`//! expect: ra=robust rc20-observational=robust`)
//! says what is expected beyond them; `docs/evidence/corpus-ra.md` and `docs/evidence/corpus-rc20.md` say where a
//! faithful program differs from a table, and why.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use fencepost_check::{Model, Options, check};
use fencepost_story::{FindingKind, Outcome, thousands};
use fencepost_testing::{Source, files, programs, sample};

fn verdict(path: &Path, model: Model, observational: bool) -> String {
    verdict_with(path, &Options { model, observational, ..Options::default() })
}

fn verdict_with(path: &Path, options: &Options) -> String {
    verdict_and_states(path, options).0
}

/// `robust`, `not-robust`, or the kind of another violation; and the number of states.
fn verdict_and_states(path: &Path, options: &Options) -> (String, u64) {
    let input = fencepost_frontend::read(path).unwrap_or_else(|e| panic!("{e}"));
    let verdict = check(&input.program, options, &Default::default()).unwrap_or_else(|e| panic!("{e}"));
    let states = verdict.statistics.states.unwrap_or_default();
    let name = match (verdict.outcome, verdict.violations.first().map(|v| v.kind)) {
        (Outcome::Holds, _) => "robust".to_string(),
        (Outcome::Violated, Some(FindingKind::Robustness | FindingKind::StaleDependency)) => "not-robust".to_string(),
        (Outcome::Violated, Some(other)) => other.name().to_string(),
        (outcome, _) => outcome.name().to_string(),
    };
    (name, states)
}

/// The cells of a table in `docs/evidence`, by the name in its first column.
fn documented(page: &str) -> BTreeMap<String, Vec<String>> {
    let path = programs().join("../docs/evidence").join(page);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().replace('`', "")).collect::<Vec<_>>();
    let rows = text.lines().filter(|line| line.starts_with('|')).map(cells);
    rows.map(|cells| (cells[1].clone(), cells[2..cells.len() - 1].to_vec())).collect()
}

/// The expectations of a file's header: model, whether observational, verdict.
fn expectations(path: &Path) -> Vec<(Model, bool, String)> {
    let source = Source::read(path.to_owned());
    let expectation = |(model, verdict): (&str, &str)| {
        let (model, observational) = match model.strip_suffix("-observational") {
            Some(model) => (model, true),
            None => (model, false),
        };
        let model = model.parse().unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        (model, observational, verdict.to_string())
    };
    source.pairs("expect").map(expectation).collect()
}

fn headers_hold(files: &[PathBuf]) {
    let mut wrong = Vec::new();
    for file in sample(files) {
        let expected = expectations(file);
        assert!(!expected.is_empty(), "{} expects nothing", file.display());
        for (model, observational, expected) in expected {
            let found = verdict(file, model, observational);
            if found != expected {
                let how = if observational { " observational" } else { "" };
                wrong.push(format!("{} {model}{how}: expected {expected}, found {found}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn table(name: &str) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(programs().join("tables").join(name)).expect("the table");
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_string));
    let head: Vec<String> = lines.next().expect("a head").collect();
    lines.map(|row| head.iter().cloned().zip(row).collect()).collect()
}

/// What a table says of a program, and what was found. In the papers a data race is a failure of robustness too
/// (paper 003 §6, paper 001 §6).
fn differs(table: &str, found: &str) -> bool {
    match table {
        "yes" => found != "robust",
        _ => !["not-robust", "data-race"].contains(&found),
    }
}

#[test]
fn every_row_of_rocker_figure_7() {
    let rows = table("rocker-ra-figure-7.csv");
    assert_eq!(rows.len(), 25);
    let documented = documented("corpus-ra.md");
    let mut wrong = Vec::new();
    for row in sample(rows) {
        let file = programs().join("ra").join(format!("{}.fp", row["program"]));
        let (found, states) = verdict_and_states(&file, &Options { model: Model::Ra, ..Options::default() });
        let states = thousands(states);
        if documented[&row["program"]].last() != Some(&states) {
            wrong.push(format!("{}: {states} states are not in docs/evidence/corpus-ra.md", row["program"]));
        }
        if differs(&row["robust_ra"], &found) {
            wrong.push(format!("{}: the paper says {}, found {found}", row["program"], row["robust_ra"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_row_of_rocker_for_rc20_figures_6_and_7() {
    let rows = table("rocker-rc20-figures-6-7.csv");
    assert_eq!(rows.len(), 24);
    let aliases = fs::read_to_string(programs().join("rc20/aliases.csv")).expect("aliases");
    let aliases: BTreeMap<&str, &str> = aliases.lines().skip(1).filter_map(|line| line.split_once(',')).collect();
    let documented = documented("corpus-rc20.md");
    let mut wrong = Vec::new();
    for row in sample(rows) {
        let program = row["program"].as_str();
        let own = format!("{program}.fp");
        let file = programs().join("rc20").join(aliases.get(program).copied().unwrap_or(&own));
        for (observational, column) in [(false, "robust"), (true, "observationally_robust")] {
            let options = Options { model: Model::Rc20, observational, ..Options::default() };
            let (found, states) = verdict_and_states(&file, &options);
            let states = thousands(states);
            if documented.get(program).is_some_and(|cells| cells[cells.len() - 2 + observational as usize] != states) {
                wrong.push(format!("{program}: {states} states ({column}) are not in docs/evidence/corpus-rc20.md"));
            }
            if differs(&row[column], &found) {
                wrong.push(format!("{program}: the paper says {column} {}, found {found}", row[column]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn headers_of_the_release_acquire_programs() {
    headers_hold(&files("ra", &["fp"]));
}

#[test]
fn headers_of_the_rc20_programs() {
    headers_hold(&files("rc20", &["fp"]));
}

#[test]
fn headers_of_the_litmus_tests() {
    headers_hold(&files("litmus", &["litmus"]));
}

#[test]
fn searching_for_one_location_at_a_time_gives_the_same_verdicts() {
    for file in files("examples", &["fp"]).iter().chain(&files("litmus", &["litmus"])) {
        for (model, observational, expected) in expectations(file) {
            let options = Options { model, observational, together: 0, ..Options::default() };
            assert_eq!(verdict_with(file, &options), expected, "{} under {model}", file.display());
        }
    }
}

macro_rules! examples {
    ($($test:ident: $file:literal,)*) => {
        $(
            #[test]
            fn $test() {
                headers_hold(&[programs().join("examples").join(concat!($file, ".fp"))]);
            }
        )*

        #[test]
        fn every_example_has_a_test() {
            let tested = [$($file),*];
            for file in files("examples", &["fp"]) {
                let name = file.file_stem().expect("a name").to_str().expect("UTF-8");
                assert!(tested.contains(&name), "{name} has no test of its own");
            }
        }
    };
}

examples! {
    sb: "SB",
    sb_writing_0: "SB-writing-0",
    sb_with_asserts: "SB+asserts",
    sb_with_one_assert_is_example_4_19: "SB+one-assert",
    sb_nested_is_example_4_18: "SB-nested",
    sb_with_fences: "SB+fences",
    sb_with_rmws: "SB+RMWs",
    sb_with_rmws_on_two_locations: "SB+RMWs-two-locations",
    sb_with_one_rmw: "SB+one-RMW",
    sb_with_sc_accesses: "SB+sc",
    sb_with_sc_and_release_acquire_accesses: "SB+sc+ra",
    mp: "MP",
    mp_with_fences_is_example_3_6: "MP+fences",
    mp_with_only_an_acquire_fence: "MP+acquire-fence",
    mp_with_only_a_release_fence: "MP+release-fence",
    mp_without_fences_is_example_4_2: "MP-without-fences",
    mp_without_fences_and_assert_is_example_4_10: "MP-without-fences-and-assert",
    iriw: "IRIW",
    iriw_with_sc_accesses: "IRIW+sc",
    iriw_with_acquire_and_sc_accesses: "IRIW-acq-sc",
    two_plus_two_w: "2+2W",
    two_plus_two_w_without_reads: "2+2W-without-reads",
    two_rmw: "2RMW",
    bar_with_loops: "BAR-loops",
    bar_with_wait: "BAR-wait",
    seqlock_test_is_example_4_8: "seqlock-test",
    remark_1: "remark-1",
    remark_2: "remark-2",
    nonatomic_reads_are_example_6_3: "NA-reads",
    nonatomic_reads_ordered: "NA-reads-ordered",
    overflow_is_example_2_2: "overflow",
    own_write_is_example_2_5: "own-write",
    release_sequence_through_an_rmw: "release-sequence-RMW",
    release_sequence_of_the_same_thread: "release-sequence-same-thread",
    z6_u: "Z6.U",
}
