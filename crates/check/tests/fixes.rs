//! A fix that is offered is a fix: with all its changes, the program is robust and has no race.

use std::time::Duration;

use fencepost_check::{Model, Options, Properties, check};
use fencepost_frontend::{parse_fp, read};
use fencepost_oracle::random::{Profile, random_sketch};
use fencepost_oracle::{Bounds, not_observationally_robust, not_robust, racy};
use fencepost_program::{Change, Program};
use fencepost_story::{Finding, FindingKind, Fix, Outcome, Reason};
use fencepost_testing::{at_least, compiled, programs, seeds, trials};

fn options(model: Model) -> Options {
    let properties = Properties { assertions: false, deadlocks: false, ..Properties::default() };
    Options { model, properties, fixes: Some(Duration::from_secs(600)), ..Options::default() }
}

/// The violation, if there is one that orderings can repair.
fn violation(program: &Program, options: &Options) -> Option<Finding> {
    check(program, options, &Default::default()).expect("an admitted program").violations.into_iter().next()
}

fn holds(program: &Program, options: &Options) -> bool {
    let holds = |outcome| matches!(outcome, Outcome::Holds | Outcome::Unknown(Reason::NoExecution(_)));
    check(program, options, &Default::default()).is_ok_and(|verdict| holds(verdict.outcome))
}

fn applied(program: &Program, fix: &Fix) -> Program {
    let changes = fix.changes.iter().map(|change| match change.operation.as_str() {
        "fence" => Change::FenceBefore { site: change.span },
        _ => Change::Order { site: change.span, order: change.ordering },
    });
    program.tuned(&changes.collect::<Vec<_>>())
}

/// The changes made in the text of a `.fp` program, as its author would make them. `None` for a CAS, which has two
/// orderings.
fn edited(text: &str, fix: &Fix) -> Option<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for change in &fix.changes {
        let line = &mut lines[change.span.line as usize - 1];
        if change.operation == "fence" {
            let indent = line.len() - line.trim_start().len();
            line.insert_str(indent, "fence(sc); ");
            continue;
        }
        let start =
            change.span.column as usize - 1 + if line.contains("fence(sc); ") { "fence(sc); ".len() } else { 0 };
        let access = &line[start..start + change.span.length as usize];
        if access.contains("cas(") {
            return None;
        }
        let order = ["na", "rlx", "acqrel", "acq", "rel", "sc"].into_iter().find_map(|order| {
            let at = access.rfind(order)?;
            let ends = access[at + order.len()..].starts_with(')') || access[at + order.len()..].is_empty();
            ends.then_some(start + at..start + at + order.len())
        })?;
        line.replace_range(order, change.ordering.name());
    }
    // A variable that was not atomic is one now.
    Some(lines.join("\n").replace("nonatomic", "atomic"))
}

#[test]
fn what_is_offered_for_random_programs_repairs_them() {
    let (mut violated, mut repaired, mut edited_texts) = (0, 0, 0);
    for seed in seeds(trials(600)) {
        let (profile, model) =
            [(Profile::Ra, Model::Ra), (Profile::Rc20, Model::Rc20), (Profile::Rc11, Model::Rc11)][seed as usize % 3];
        let text = random_sketch(seed, profile).to_string();
        let program = parse_fp("random.fp", &text).unwrap_or_else(|e| panic!("{e}\n{text}")).program;
        let observational = seed % 5 == 0 && model != Model::Ra;
        let options = Options { observational, ..options(model) };
        let Some(found) = violation(&program, &options) else { continue };
        violated += 1;
        for fix in &found.fixes {
            assert!(fix.remains.is_some() || !fix.changes.is_empty(), "{text}");
            let changed = applied(&program, fix);
            let definition = model;
            if fix.remains.is_some() {
                continue;
            }
            assert!(holds(&changed, &options), "{}\n{text}", fix.text);
            let bounds = Bounds { graphs: 20_000, ..Bounds::default() };
            // By the definitions, where there are not too many graphs.
            let robust = match observational {
                true => not_observationally_robust(&changed, definition, bounds).map(|graph| graph.is_none()),
                false => not_robust(&changed, definition, bounds).map(|graph| graph.is_none()),
            };
            assert_ne!(robust, Ok(false), "{}\n{text}", fix.text);
            let race_free = racy(&changed, definition, bounds).map(|graph| graph.is_none());
            assert_ne!(race_free, Ok(false), "{}\n{text}", fix.text);
            if let Some(edited) = edited(&text, fix)
                && let Ok(input) = parse_fp("edited.fp", &edited)
            {
                edited_texts += 1;
                assert!(holds(&input.program, &options), "{}\n{text}\n{edited}", fix.text);
            }
        }
        repaired += u64::from(found.fixes.iter().any(|fix| fix.remains.is_none()));
    }
    assert!(violated > at_least(100, 600) && repaired * 10 > violated * 9, "{repaired} of {violated} have a fix");
    assert!(edited_texts > at_least(100, 600), "{edited_texts} fixes were edited in");
}

/// POPL 2021, section 7: the read of turn is made acquire.
#[test]
fn the_published_fix_of_peterson_comes_first() {
    let program = read(programs().join("rc20/peterson.fp")).unwrap_or_else(|e| panic!("{e}")).program;
    let found = violation(&program, &options(Model::Rc20)).expect("a race");
    assert_eq!(found.kind, FindingKind::DataRace);
    let first = &found.fixes[0];
    assert_eq!(first.sentence(), "give the load at peterson.fp:23 in process the ordering `acq`");
    assert!(holds(&applied(&program, first), &options(Model::Rc20)));
}

/// Each of these is broken, and gets a fix with which nothing is.
#[test]
fn broken_programs_of_the_corpus_get_a_fix_that_works() {
    let ra = ["cilk-the-wsq-sc", "dekker-sc", "lamport2-sc", "lamport2-tso", "peterson-sc", "peterson-tso"];
    // These have too many states for a quick search.
    let ra = [&ra[..], &["chase-lev-sc", "chase-lev-tso"]].concat();
    let rc20 = ["dekker-rlx-loop", "peterson", "wait-free-ring-polling", "seqlock-fence", "seqlock-rdmw"];
    let rc11 = ["2+2W", "IRIW", "MP-without-fences", "NA-reads", "SB", "SB+RMWs-two-locations", "Z6.U", "remark-1"];
    let of = |model, directory: &'static str, names: &'static [&str]| {
        names.iter().map(move |name| (model, programs().join(format!("{directory}/{name}.fp"))))
    };
    let ra: &'static [&str] = Box::leak(ra.into_boxed_slice());
    let rc20: &'static [&str] = Box::leak(Box::new(rc20));
    let rc11: &'static [&str] = Box::leak(Box::new(rc11));
    let all = of(Model::Ra, "ra", ra).chain(of(Model::Rc20, "rc20", rc20)).chain(of(Model::Rc11, "examples", rc11));
    for (model, path) in all {
        let program = read(&path).unwrap_or_else(|e| panic!("{e}")).program;
        let found = violation(&program, &options(model)).unwrap_or_else(|| panic!("{} is broken", path.display()));
        assert!(!found.fixes.is_empty(), "{}", path.display());
        for fix in &found.fixes {
            assert_eq!(fix.remains, None, "{}", path.display());
            assert!(holds(&applied(&program, fix), &options(model)), "{}: {}", path.display(), fix.text);
        }
    }
}

fn fixes_of(program: &Program) -> Vec<Fix> {
    let found = violation(program, &options(Model::Rc11)).expect("a violation");
    for fix in &found.fixes {
        assert_eq!(fix.remains, None);
        assert!(holds(&applied(program, fix), &options(Model::Rc11)), "{}", fix.text);
    }
    found.fixes
}

/// The store of a function that is called twice is one site; what a header of C++ does belongs to the line that calls
/// it.
#[test]
fn publication_in_c_and_cpp_is_repaired_at_its_lines() {
    let c = "#include <pthread.h>\n#include <stdatomic.h>\nint data[2];\natomic_int ready[2];\n\
        static void publish(int i) {\n  data[i] = 1;\n  atomic_store_explicit(&ready[i], 1, memory_order_relaxed);\n}\n\
        void *writer(void *u) {\n  publish(0);\n  publish(1);\n  return 0;\n}\n\
        int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, writer, 0);\n  int sum = 0;\n\
        if (atomic_load_explicit(&ready[0], memory_order_relaxed)) sum += data[0];\n\
        if (atomic_load_explicit(&ready[1], memory_order_relaxed)) sum += data[1];\n\
        pthread_join(t, 0);\n  return sum;\n}\n";
    let fixes = fixes_of(&compiled("publication.c", c));
    let changes: Vec<(u32, &str, &str)> =
        fixes[0].changes.iter().map(|c| (c.span.line, c.function.as_str(), c.ordering.name())).collect();
    assert_eq!(changes, [(7, "publish", "rel"), (18, "main", "acq"), (19, "main", "acq")]);
    let cpp = "#include <atomic>\n#include <thread>\nint data;\nstd::atomic<int> ready{0};\n\
        int main() {\n  std::thread t([] {\n    data = 1;\n    ready.store(1, std::memory_order_relaxed);\n  });\n\
        int seen = 0;\n  if (ready.load(std::memory_order_relaxed)) seen = data;\n  t.join();\n  return seen;\n}\n";
    let fixes = fixes_of(&compiled("publication.cc", cpp));
    let changes: Vec<(u32, &str)> = fixes[0].changes.iter().map(|c| (c.span.line, c.ordering.name())).collect();
    assert_eq!(changes, [(8, "rel"), (11, "acq")]);
}

/// Nothing synchronises, so the variable itself must become atomic.
#[test]
fn a_race_without_synchronisation_is_repaired_by_an_atomic_variable() {
    let text = "nonatomic n;\nthread a { n.store(1, na); }\nthread b { r = n.load(na); }\n";
    let program = parse_fp("race.fp", text).unwrap_or_else(|e| panic!("{e}")).program;
    let fixes = fixes_of(&program);
    let changes: Vec<(u32, &str)> = fixes[0].changes.iter().map(|c| (c.span.line, c.ordering.name())).collect();
    assert_eq!(changes, [(2, "rlx"), (3, "rlx")]);
}
