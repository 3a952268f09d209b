//! A fix that is offered is a fix: with all its changes, no execution goes wrong.

use std::time::Duration;

use fencepost_explore::{Exploration, Options, count};
use fencepost_frontend::parse_fp;
use fencepost_models::{Engine, Model};
use fencepost_oracle::random::{Profile, random_sketch};
use fencepost_oracle::{Bounds, racy};
use fencepost_program::{Change, Program};
use fencepost_story::{FindingKind, Fix, Outcome};

fn parse(text: &str) -> Program {
    parse_fp("program.fp", text).unwrap_or_else(|e| panic!("{e}\n{text}")).program
}

fn explored(program: &Program, model: Model) -> Exploration {
    let options = Options { fixes: Some(Duration::from_secs(600)), ..Options::new(model) };
    count(program, &options, &Default::default()).unwrap()
}

fn applied(program: &Program, fix: &Fix) -> Program {
    let changes = fix.changes.iter().map(|change| match change.operation.as_str() {
        "fence" => Change::FenceBefore { site: change.span },
        _ => Change::Order { site: change.span, order: change.ordering },
    });
    program.tuned(&changes.collect::<Vec<_>>())
}

/// The sentences of all fixes, each of which works.
fn fixes(text: &str, model: Model) -> Vec<String> {
    let program = parse(text);
    let exploration = explored(&program, model);
    assert_eq!(exploration.verdict.outcome, Outcome::Violated, "{text}");
    let fixes = &exploration.verdict.violations[0].fixes;
    for fix in fixes {
        assert_eq!(fix.remains, None, "{text}");
        let changed = explored(&applied(&program, fix), model);
        assert_eq!(changed.verdict.outcome, Outcome::Holds, "{}\n{text}", fix.text);
    }
    fixes.iter().map(Fix::sentence).collect()
}

const PUBLICATION: &str = "nonatomic data;\natomic ready;\n\
    thread writer {\n  data.store(1, na);\n  ready.store(1, rlx);\n}\n\
    thread reader {\n  r = ready.load(rlx);\n  if (r == 1) {\n    d = data.load(na);\n  }\n}\n";

/// Both accesses race; the release and the acquire that are missing come first.
#[test]
fn a_race_gets_the_missing_release_and_acquire_or_an_atomic_variable() {
    for model in [Model::Tso, Model::Rc20, Model::Rc11, Model::Jam21] {
        let fixes = fixes(PUBLICATION, model);
        let first = "give the store at program.fp:5 in writer the ordering `rel`, and give the load at program.fp:8 in \
                     reader the ordering `acq`";
        assert_eq!(fixes[0], first, "{model}");
        let atomic = "make the store at program.fp:4 in writer atomic, with the ordering `rlx`, and make the load at \
                      program.fp:10 in reader atomic, with the ordering `rlx`";
        assert!(fixes.iter().any(|fix| fix == atomic), "{model}: {fixes:?}");
    }
}

fn store_buffering(then: [&str; 2]) -> String {
    let [a, b] = then;
    format!(
        "atomic x, y, n;\nnonatomic c;\nthread a {{\n  x.store(1, rlx);\n  r = y.load(rlx);\n  if (r == 0) {{\n    {a}\n  }}\n}}\n\
         thread b {{\n  y.store(1, rlx);\n  r = x.load(rlx);\n  if (r == 0) {{\n    {b}\n  }}\n}}\n"
    )
}

const FENCES: &str = "put `fence(sc)` before program.fp:5 in a, and put `fence(sc)` before program.fp:12 in b";

/// An assertion that fails because two threads come into a critical section: fences, and SC accesses where the model
/// has them.
#[test]
fn an_assertion_that_weak_memory_breaks_gets_fences_or_sc_accesses() {
    let text = store_buffering(["n.store(1, rel);", "q = n.load(acq); assert(q == 0);"]);
    for model in [Model::Tso, Model::Pso, Model::Ra, Model::Rc20, Model::Rc11, Model::Jam21] {
        let fixes = fixes(&text, model);
        assert!(fixes.iter().any(|fix| fix == FENCES), "{model}: {fixes:?}");
    }
    assert!(fixes(&text, Model::Rc11).iter().any(|fix| fix.matches("`sc`").count() == 4), "four SC accesses");
}

/// The race is there only because both threads read 0.
#[test]
fn a_race_in_a_weak_execution_gets_fences() {
    let text = store_buffering(["c.store(1, na);", "c.store(2, na);"]);
    for model in [Model::Ra, Model::Rc11] {
        let fixes = fixes(&text, model);
        assert!(fixes.iter().any(|fix| fix == FENCES), "{model}: {fixes:?}");
    }
}

#[test]
fn no_fix_is_offered_if_the_program_fails_under_sc() {
    // A weak execution fails, and so does an SC one in which `b` comes later.
    let text = store_buffering(["n.store(1, rel);", "q = n.load(acq); assert(q == 0); assert(0);"]);
    for model in [Model::Sc, Model::Tso, Model::Rc11] {
        let exploration = explored(&parse(&text), model);
        let violation = &exploration.verdict.violations[0];
        assert_eq!(violation.fixes, [], "{model}");
        let is_said = |text: &String| text.contains("fails under SC as well") || text.contains("is sequentially");
        assert!(violation.explanation.iter().any(is_said), "{model}: {:?}", violation.explanation);
    }
}

/// By exploration, and races by the definitions.
#[test]
fn what_is_offered_for_random_programs_repairs_them() {
    let mut racing = 0;
    for seed in 0..400 {
        let (profile, models) = [
            (Profile::Ra, [Model::Ra, Model::Tso]),
            (Profile::Rc20, [Model::Rc20, Model::Pso]),
            (Profile::Rc11, [Model::Rc11, Model::Jam21]),
        ][seed as usize % 3];
        let text = random_sketch(seed, profile).to_string();
        let (program, model) = (parse(&text), models[seed as usize / 3 % 2]);
        if model.admit(Engine::Explore, &program).is_err() {
            continue;
        }
        let options = Options { fixes: Some(Duration::from_secs(600)), ..Options::new(model) };
        let exploration = count(&program, &options, &Default::default()).unwrap();
        let Some(violation) = exploration.verdict.violations.first() else { continue };
        let offered: Vec<&Fix> = violation.fixes.iter().filter(|fix| fix.remains.is_none()).collect();
        for fix in &offered {
            let changed = applied(&program, fix);
            let exploration = count(&changed, &options, &Default::default()).unwrap();
            assert_eq!(exploration.verdict.outcome, Outcome::Holds, "{}\n{text}", fix.text);
            let bounds = Bounds { graphs: 20_000, ..Bounds::default() };
            let race_free = racy(&changed, model, bounds).map_or(true, |graph| graph.is_none());
            assert!(race_free, "{}\n{text}", fix.text);
        }
        racing += if violation.kind == FindingKind::DataRace { offered.len() } else { 0 };
    }
    assert!(racing > 20, "fixes for {racing} races");
}

/// Shapes of weak behaviours. Each thread hands on what it read, and an observer says that the weak outcome does not
/// happen.
const SHAPES: [(&[&str], &str); 4] = [
    (
        &["x.store(1, W); r = y.load(R); a.store(r + 1, rel);", "y.store(1, W); r = x.load(R); b.store(r + 1, rel);"],
        "p == 1 && q == 1",
    ),
    (
        &[
            "x.store(1, W); y.store(1, W); a.store(1, rel);",
            "s = y.load(R); r = x.load(R); b.store(2 * s + r + 1, rel);",
        ],
        "q == 3",
    ),
    (
        &[
            "x.store(1, W); a.store(1, rel);",
            "s = x.load(R); y.store(s, W);",
            "s = y.load(R); r = x.load(R); b.store(2 * s + r + 1, rel);",
        ],
        "q == 3",
    ),
    (
        &["x.store(1, W); y.store(2, W); a.store(1, rel);", "y.store(1, W); r = x.load(R); b.store(r + 1, rel);"],
        "q == 1 && v == 1",
    ),
];

#[test]
fn weak_outcomes_of_litmus_tests_are_repaired() {
    let (mut random, mut repaired) = (fastrand::Rng::with_seed(1), 0);
    for round in 0..120 {
        let (threads, weak) = SHAPES[round % SHAPES.len()];
        let mut text = "atomic x, y, a, b;\n".to_owned();
        for (number, thread) in threads.iter().enumerate() {
            let mut ordered = thread.to_string();
            while let Some(at) = ordered.find(['W', 'R']) {
                let orders = if &ordered[at..=at] == "W" { ["rlx", "rlx", "rel"] } else { ["rlx", "rlx", "acq"] };
                ordered.replace_range(at..=at, orders[random.usize(..3)]);
            }
            text += &format!("thread t{number} {{\n  {}\n}}\n", ordered.replace("; ", ";\n  "));
        }
        text += &format!(
            "thread observer {{\n  p = a.load(acq);\n  q = b.load(acq);\n  v = y.load(rlx);\n  assert(p == 0 || !({weak}));\n}}\n"
        );
        let (program, model) =
            (parse(&text), [Model::Rc20, Model::Rc11, Model::Jam21, Model::Pso, Model::Ra][round % 5]);
        if explored(&program, model).verdict.outcome == Outcome::Violated {
            repaired += usize::from(!fixes(&text, model).is_empty());
        }
    }
    assert!(repaired > 30, "{repaired} repaired");
}
