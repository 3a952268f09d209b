//! What the narrator says of runs that are made by hand.

use fencepost_frontend::parse_fp;
use fencepost_graph::{EventLabel, Graph};
use fencepost_models::Model;
use fencepost_program::{Accept, Action, Ordering, Program, Span, Waiting};
use fencepost_story::{FindingKind, Run, Step};

fn program(text: &str) -> Program {
    parse_fp("test.fp", text).unwrap_or_else(|e| panic!("{e}")).program
}

#[test]
fn a_race_names_both_steps_and_shows_them() {
    let program = program("nonatomic x;\nthread one { x.store(1, na); }\nthread two { a = x.load(na); }");
    let x = program.cells().next().unwrap();
    let mut graph = Graph::initial_of(&program, false);
    let initial = graph.writes(x).first().copied();
    let store = graph.push(0, EventLabel::write(Ordering::NonAtomic, x, 1), Span::default(), initial);
    let load = graph.push(1, EventLabel::read(Ordering::NonAtomic, x, 0), Span::default(), initial);
    let run = Run::of_graph(&program, Model::Rc11, graph);
    let finding = run.race(run.step_of(load).unwrap(), Some(store), true);
    assert_eq!(finding.kind, FindingKind::DataRace);
    assert_eq!(finding.message, "`x.load(na)` of two races with `x.store(1, na)` of one");
    let operations: Vec<&str> = finding.accesses.iter().map(|access| access.operation.as_str()).collect();
    assert_eq!(operations, ["load", "store"]);
    assert_eq!(finding.graph.unwrap().nodes.iter().filter(|node| node.highlighted).count(), 2);
    let unconfirmed = run.race(run.step_of(load).unwrap(), None, false);
    assert_eq!(unconfirmed.message, "`x.load(na)` of two may race with an earlier access to x");
    assert!(!unconfirmed.confirmed);
}

#[test]
fn a_deadlock_is_told_of_every_thread_that_waits() {
    let program = program("atomic x;\nthread a { wait(x == 1, acq); }\nthread b { wait(x == 2, acq); }\nthread c { }");
    let at = program.cells().next().unwrap();
    let run = Run::of_graph(&program, Model::Rc11, Graph::initial_of(&program, false));
    let waits = |thread: usize| {
        let action = Action::Wait { at, accept: Accept::Exactly(thread as i64 + 1), order: Ordering::Acquire };
        (Step::new(thread, action, Span::default()), Waiting::of_action(&run.names, &action))
    };
    let finding = run.deadlock(&[waits(0), waits(1)]);
    assert_eq!(finding.explanation[..2], ["a waits until `x` == 1.", "b waits until `x` == 2."]);
    assert!(
        finding.explanation[2].starts_with("The execution is sequentially consistent"),
        "{:?}",
        finding.explanation
    );
    assert!(finding.accesses.iter().all(|access| access.location == "x" && access.role == "waits"));
}

#[test]
fn a_value_that_a_thread_chose_is_found_from_what_it_wrote() {
    let program = program("atomic x;\nthread t { r = choose(0..9); x.store(r + 1, rlx); }");
    let x = program.cells().next().unwrap();
    let mut graph = Graph::initial_of(&program, false);
    let initial = graph.writes(x).first().copied();
    graph.push(0, EventLabel::write(Ordering::Relaxed, x, 7), Span::default(), initial);
    let trace = Run::of_graph(&program, Model::Rc11, graph).trace();
    let steps: Vec<(&str, Option<i64>)> = trace.iter().map(|step| (step.text.as_str(), step.read)).collect();
    assert_eq!(steps, [("choose(0..9)", Some(6)), ("x.store(7, rlx)", None)]);
}
