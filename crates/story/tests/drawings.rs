//! What a drawing shows at first, and what threads know along a run.

use fencepost_frontend::parse_fp;
use fencepost_graph::{EventId, EventLabel, Graph};
use fencepost_models::Model;
use fencepost_program::{Failure, Ordering, Program, Span};
use fencepost_story::{Folded, NodeKind, Run, Step, TraceStep, WitnessGraph};

fn program(text: &str) -> Program {
    parse_fp("test.fp", text).unwrap_or_else(|e| panic!("{e}")).program
}

/// Thread `a` writes `x` and then `y`, thread `b` reads the new `y`, with this ordering.
fn message_passing(order: Ordering, read: impl Fn(&Run<'_>) -> Vec<(String, usize)>) -> Vec<(String, usize)> {
    let name = if order == Ordering::Acquire { "acq" } else { "rlx" };
    let text =
        format!("atomic x, y;\nthread a {{ x.store(1, rlx); y.store(1, rel); }}\nthread b {{ r = y.load({name}); }}");
    let program = program(&text);
    let [x, y] = program.cells().collect::<Vec<_>>()[..] else { panic!("two cells") };
    let mut graph = Graph::initial_of(&program, false);
    let initial = [x, y].map(|at| graph.writes(at).first().copied());
    graph.push(0, EventLabel::write(Ordering::Relaxed, x, 1), Span::default(), initial[0]);
    let store = graph.push(0, EventLabel::write(Ordering::Release, y, 1), Span::default(), initial[1]);
    graph.push(1, EventLabel::read(order, y, 1), Span::default(), Some(store));
    read(&Run::of_graph(&program, Model::Rc11, graph))
}

fn seen_last(run: &Run<'_>) -> Vec<(String, usize)> {
    run.trace().last().expect("it has steps").seen.clone()
}

#[test]
fn a_thread_has_seen_what_happens_before_its_step() {
    // The initial values are the events 0 and 1.
    let seen = message_passing(Ordering::Acquire, seen_last);
    assert_eq!(seen, [("x".to_owned(), 2), ("y".to_owned(), 3)]);
    let seen = message_passing(Ordering::Relaxed, seen_last);
    assert_eq!(seen, [("y".to_owned(), 3)], "a relaxed read does not synchronise");
}

#[test]
fn a_variable_is_told_when_something_is_assigned_to_it() {
    let variables = |run: &Run<'_>| {
        let told: Vec<TraceStep> = run.trace();
        assert!(told[..2].iter().all(|step| step.variables.is_empty()));
        assert_eq!(told[2].variables, [("r".to_owned(), 1)]);
        Vec::new()
    };
    message_passing(Ordering::Acquire, variables);
}

/// A thread with a number of writes to `x`, and one with a read of the newest; an assertion of the second fails.
fn failing(writes: usize) -> WitnessGraph {
    let stores: String = (1..=writes).map(|value| format!("x.store({value}, rlx); ")).collect();
    let program = program(&format!("atomic x, y;\nthread a {{ {stores}}}\nthread b {{ r = x.load(rlx); assert(0); }}"));
    let x = program.cells().next().unwrap();
    let mut graph = Graph::initial_of(&program, false);
    let mut last: Option<EventId> = graph.writes(x).first().copied();
    for value in 1..=writes {
        last = Some(graph.push(0, EventLabel::write(Ordering::Relaxed, x, value as i64), Span::default(), last));
    }
    graph.push(1, EventLabel::read(Ordering::Relaxed, x, writes as i64), Span::default(), last);
    let run = Run::of_graph(&program, Model::Rc11, graph);
    let failure = Failure::Assertion;
    let step = Step::new(1, fencepost_program::Action::Failed(failure), Span::default());
    run.failed(&step, failure).graph.expect("a failure has a drawing")
}

#[test]
fn a_failure_is_a_node_behind_the_events_of_its_thread() {
    let graph = failing(2);
    let failure = graph.nodes.iter().find(|node| node.kind == NodeKind::Failure).expect("the failure is drawn");
    assert_eq!((failure.thread, failure.label.as_str()), (Some(1), "assertion fails"));
    assert!(graph.edges.iter().any(|edge| edge.to == failure.id && edge.relation == "po"));
}

#[test]
fn a_small_drawing_folds_initial_values_that_nobody_reads_and_nothing_else() {
    let graph = failing(2);
    let folded = graph.nodes.iter().filter(|node| node.folded.is_some());
    assert!(folded.clone().all(|node| node.folded == Some(Folded::Unread)), "{:?}", graph.nodes);
    assert!(folded.count() <= 2);
}

#[test]
fn a_large_drawing_keeps_the_ends_of_threads_and_what_they_read() {
    let graph = failing(60);
    let shown: Vec<&str> =
        graph.nodes.iter().filter(|node| node.folded.is_none()).map(|node| node.label.as_str()).collect();
    assert!(shown.len() < 10, "{shown:?}");
    for label in ["W rlx x = 60", "R rlx x = 60", "assertion fails"] {
        assert!(shown.contains(&label), "{label} is missing in {shown:?}");
    }
    assert!(!shown.contains(&"W rlx x = 1"));
}
