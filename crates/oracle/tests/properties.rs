//! What ties the oracle's shortcuts to the definitions, on random programs.

mod common;

use std::collections::HashSet;

use common::parse;
use fencepost_graph::{EventId, EventKind, EventLabel, Graph, Relations, SC_FENCE_CELL};
use fencepost_models::Model;
use fencepost_oracle::free_graphs::{Question, ThreadAt, Verdict, generate};
use fencepost_oracle::random::{Profile, Sketch, random_sketch, shrink};
use fencepost_oracle::{Bounds, fails, not_observationally_robust, not_robust, racy, stale_predecessors, survey};
use fencepost_program::{Action, Answer, Label, LabelKind, Machine, Program, ThreadState};

const WEAK: [Model; 3] = [Model::Ra, Model::Rc20, Model::Rc11];

fn programs(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, Sketch, Program)> {
    seeds.map(|seed| {
        let sketch = random_sketch(seed, Profile::ALL[seed as usize % 3]);
        let program = parse(&sketch.to_string());
        (seed, sketch, program)
    })
}

struct Collect<F>(F, Vec<(Graph, Vec<ThreadState>)>);

impl<F: FnMut(&Graph) -> bool> Question for Collect<F> {
    fn admits(&mut self, graph: &Graph) -> Verdict {
        if (self.0)(graph) { Verdict::Extend } else { Verdict::Cut }
    }

    fn visit(&mut self, graph: &Graph, threads: &[ThreadAt]) -> bool {
        self.1.push((graph.clone(), threads.iter().map(|t| t.state.clone()).collect()));
        true
    }
}

/// Programs with more graphs are left out where all of them are kept.
const FEW: Bounds = Bounds { events: 24, graphs: 3_000 };

/// All configurations whose graph a model allows, as the oracle finds them.
fn configurations(program: &Program, model: Model) -> Option<Vec<(Graph, Vec<ThreadState>)>> {
    let mut collect = Collect(|graph: &Graph| model.consistent(graph), Vec::new());
    generate(program, model.sc_fence_label(), FEW, &mut collect).ok()?;
    Some(collect.1)
}

/// The configurations with an SC-consistent graph, in which SC fences are as the model sees them.
fn sc_configurations(program: &Program, model: Model) -> Option<Vec<(Graph, Vec<ThreadState>)>> {
    let mut collect = Collect(|graph: &Graph| Model::Sc.consistent(graph), Vec::new());
    generate(program, model.sc_fence_label(), FEW, &mut collect).ok()?;
    Some(collect.1)
}

/// [`configurations`] by the letter of paper 001 Def. 3.10: every thread may move in every configuration, and
/// configurations that were met before are dropped.
fn configurations_in_any_order(program: &Program, model: Model) -> HashSet<(String, Vec<ThreadState>)> {
    let machine = Machine::new(program);
    let threads = (0..program.threads.len()).map(|t| machine.start(t)).collect();
    let mut seen = HashSet::new();
    let mut queue = vec![(Graph::initial_of(program, model.sc_fence_is_rmw()), threads)];
    while let Some((graph, threads)) = queue.pop() {
        let threads: Vec<ThreadState> = threads;
        if !model.consistent(&graph) || !seen.insert((format!("{:?}", graph.canonical()), threads.clone())) {
            continue;
        }
        for thread in 0..threads.len() {
            let mut go = |graph: Graph, answer| {
                let mut next = threads.clone();
                machine.resume(&mut next[thread], answer, 0);
                queue.push((graph, next));
            };
            let action = machine.next(&threads[thread]);
            match action {
                Action::Choose { lo, hi } => (lo..=hi).for_each(|v| go(graph.clone(), Answer::Chose(v))),
                Action::Fence { order } if order.is_sc() && model.sc_fence_is_rmw() => {
                    for &write in graph.writes(SC_FENCE_CELL) {
                        go(graph.extended(thread as u32, EventLabel::sc_fence_rmw(), Some(write)), Answer::Done);
                    }
                }
                Action::Fence { order } => {
                    go(graph.extended(thread as u32, EventLabel::fence(order), None), Answer::Done);
                }
                _ => {}
            }
            for label in action.labels() {
                for &write in graph.writes(label.at) {
                    let value = graph.event(write).label.written.unwrap();
                    if !label.accept.accepts(value) {
                        continue;
                    }
                    let (order, at) = (label.order, label.at);
                    let (event, answer) = match label.kind {
                        LabelKind::Read => (EventLabel::read(order, at, value), Answer::Read(value)),
                        LabelKind::AwaitRead => (EventLabel::await_read(order, at, value), Answer::Read(value)),
                        LabelKind::Write => {
                            (EventLabel::write(order, at, action.written(value).unwrap()), Answer::Done)
                        }
                        LabelKind::Rmw => {
                            let written = action.written(value).unwrap();
                            (EventLabel::rmw(order, at, value, written), Answer::Updated(value))
                        }
                    };
                    go(graph.extended(thread as u32, event, Some(write)), answer);
                }
            }
        }
    }
    let settled = |threads: &[ThreadState]| threads.iter().all(|t| !matches!(machine.next(t), Action::Choose { .. }));
    seen.retain(|(_, threads)| settled(threads));
    seen
}

#[test]
fn every_configuration_is_met_exactly_once() {
    for (seed, sketch, program) in programs(0..100) {
        for model in [Model::Sc, Model::Rc20, Model::Rc11] {
            let Some(found) = configurations(&program, model) else { continue };
            let found: Vec<_> =
                found.into_iter().map(|(graph, threads)| (format!("{:?}", graph.canonical()), threads)).collect();
            let distinct: HashSet<_> = found.iter().cloned().collect();
            // Two choices can lead to the same state of a thread, later on in its run.
            if !sketch.to_string().contains("choose") && !sketch.to_string().contains("either") {
                assert_eq!(found.len(), distinct.len(), "seed {seed}, {model}\n{sketch}");
            }
            assert_eq!(distinct, configurations_in_any_order(&program, model), "seed {seed}, {model}\n{sketch}");
        }
    }
}

#[test]
fn a_program_is_robust_iff_every_consistent_graph_is_sc_consistent() {
    for (seed, sketch, program) in programs(0..500) {
        for model in WEAK {
            let Some(all) = configurations(&program, model) else { continue };
            let by_definition = all.iter().all(|(g, _)| Model::Sc.consistent(g));
            let violation = not_robust(&program, model, Bounds::default()).unwrap();
            assert_eq!(violation.is_none(), by_definition, "seed {seed}, {model}\n{sketch}");
            if let Some(graph) = violation {
                assert!(model.consistent(&graph) && !Model::Sc.consistent(&graph));
            }
        }
    }
}

#[test]
fn sc_consistent_graphs_are_consistent_in_every_model() {
    for (seed, sketch, program) in programs(2000..2150) {
        for model in WEAK {
            let Some(all) = sc_configurations(&program, model) else { continue };
            for (graph, _) in all {
                assert!(model.consistent(&graph), "seed {seed}, {model}\n{sketch}\n{graph}");
            }
        }
    }
}

#[test]
fn a_survey_gives_the_answers_of_the_single_questions() {
    for (seed, sketch, program) in programs(3000..3250) {
        for model in WEAK {
            let all = survey(&program, model, Bounds::default()).unwrap();
            let bounds = Bounds::default();
            let single = [
                not_robust(&program, model, bounds).unwrap().is_some(),
                not_observationally_robust(&program, model, bounds).unwrap().is_some(),
                racy(&program, model, bounds).unwrap().is_some(),
                fails(&program, model, bounds).unwrap().is_some(),
            ];
            let together = [
                all.not_robust.is_some(),
                all.not_observationally_robust.is_some(),
                all.racy.is_some(),
                all.fails.is_some(),
            ];
            assert_eq!(together, single, "seed {seed}, {model}\n{sketch}");
        }
    }
}

/// Calls `check` for every step that a program enables after an SC-consistent graph.
fn for_each_step(program: &Program, model: Model, mut check: impl FnMut(&Graph, u32, Label)) -> Option<()> {
    let machine = Machine::new(program);
    for (graph, threads) in &sc_configurations(program, model)? {
        for (thread, state) in threads.iter().enumerate() {
            for label in machine.next(state).labels() {
                check(graph, thread as u32, label);
            }
        }
    }
    Some(())
}

/// Paper 003 Thm. 5.1, paper 001 Thm. 4.6, and the same for RC11.
#[test]
fn a_program_is_robust_iff_no_step_after_an_sc_consistent_graph_has_a_stale_predecessor() {
    for (seed, sketch, program) in programs(5000..5300) {
        for model in WEAK {
            let mut witness = false;
            let all = for_each_step(&program, model, |graph, thread, label| {
                witness |= !stale_predecessors(graph, thread, label, model).is_empty();
            });
            if all.is_none() {
                continue;
            }
            let violation = not_robust(&program, model, Bounds::default()).unwrap();
            assert_eq!(violation.is_some(), witness, "seed {seed}, {model}\n{sketch}");
        }
    }
}

/// The conditions of paper 001 Def. 4.5 and paper 003 Thm. 5.1, but for one: SC forbids a predecessor as soon as the
/// thread is hbSC-aware of any later write, not only of the last one. (The papers may ask for the last because in some
/// prefix it is.)
#[test]
fn stale_predecessors_are_those_of_a_non_robustness_witness() {
    let mut stale_steps = 0;
    for (seed, sketch, program) in programs(6000..6300) {
        for model in [Model::Ra, Model::Rc20] {
            for_each_step(&program, model, |graph, thread, label| {
                let expected = witness_predecessors(graph, thread, label, model);
                stale_steps += !expected.is_empty() as u32;
                let found = stale_predecessors(graph, thread, label, model);
                assert_eq!(found, expected, "seed {seed}, {model}, thread {thread}, {label:?}\n{sketch}\n{graph}");
            });
        }
    }
    assert!(stale_steps > 1000);
}

fn witness_predecessors(graph: &Graph, thread: u32, label: Label, model: Model) -> Vec<EventId> {
    let relations = Relations::of(graph);
    let writes = graph.writes(label.at);
    let reaches_thread = |from: EventId, relation: &fencepost_graph::Relation| {
        graph.thread(thread).any(|(e, _)| e == from || relation.contains(from, e))
    };
    let hb_sc = relations.hb_sc();
    // mo ; rf? ; hb? into the thread
    let hb = model.hb(&relations);
    let known = |w: EventId| reaches_thread(w, &hb) || relations.rf.successors(w).any(|r| reaches_thread(r, &hb));
    let candidates = writes.iter().copied().filter(|&w| {
        let value = graph.event(w).label.written.unwrap();
        let updated = relations.rf.successors(w).any(|r| graph.event(r).is_rmw());
        relations.mo.successors(w).any(|later| reaches_thread(later, &hb_sc))
            && !relations.mo.successors(w).any(known)
            && !(matches!(label.kind, LabelKind::Write | LabelKind::Rmw) && updated)
            && (label.kind == LabelKind::Write || label.accept.accepts(value))
    });
    candidates.collect()
}

#[test]
fn verdicts_do_not_depend_on_the_order_of_threads() {
    let verdicts = |sketch: &Sketch, model| {
        let found = survey(&parse(&sketch.to_string()), model, Bounds::default()).unwrap();
        [
            found.not_robust.is_some(),
            found.not_observationally_robust.is_some(),
            found.racy.is_some(),
            found.fails.is_some(),
        ]
    };
    for (seed, sketch, _) in programs(7000..7600) {
        let mut reversed = sketch.clone();
        reversed.threads.reverse();
        for model in WEAK {
            assert_eq!(verdicts(&sketch, model), verdicts(&reversed, model), "seed {seed}, {model}\n{sketch}");
        }
    }
}

/// RC20 is RA where everything is release or acquire, and RC11 where there is nothing SC.
#[test]
fn models_agree_where_they_should() {
    let seeds = || 8000..8400u64;
    for sketch in seeds().map(|seed| random_sketch(seed, Profile::Ra)) {
        let text = sketch.to_string();
        if text.contains("nonatomic") {
            continue;
        }
        let count = |model| configurations(&parse(&text), model).map(|all| all.len());
        assert_eq!(count(Model::Ra), count(Model::Rc20), "{text}");
    }
    for sketch in seeds().map(|seed| random_sketch(seed, Profile::Rc20)) {
        let text = sketch.to_string().replace("fence(sc)", "fence(acqrel)");
        let count = |model| configurations(&parse(&text), model).map(|all| all.len());
        assert_eq!(count(Model::Rc20), count(Model::Rc11), "{text}");
    }
}

#[test]
fn shrinking_keeps_what_it_is_asked_to_keep_and_removes_the_rest() {
    let violates = |sketch: &Sketch| {
        let program = parse(&sketch.to_string());
        not_robust(&program, Model::Rc20, Bounds::default()).unwrap().is_some()
    };
    let mut shrunk = Vec::new();
    for seed in 0..60 {
        let sketch = random_sketch(seed, Profile::Rc20);
        if violates(&sketch) {
            let small = shrink(&sketch, violates);
            assert!(violates(&small));
            let accesses = small.threads.iter().map(Vec::len).sum::<usize>();
            assert!(accesses <= 6 && accesses <= sketch.threads.iter().map(Vec::len).sum(), "{sketch}\n{small}");
            shrunk.push(small);
        }
    }
    assert!(shrunk.len() > 5);
}

#[test]
fn random_programs_reach_every_verdict_and_every_kind_of_event() {
    let mut kinds = HashSet::new();
    let mut verdicts = [[0; 2]; 4];
    for (_, _, program) in programs(9000..9600) {
        let found = survey(&program, Model::Rc11, Bounds::default()).unwrap();
        let answers = [
            found.not_robust.is_some(),
            found.not_observationally_robust.is_some(),
            found.racy.is_some(),
            found.fails.is_some(),
        ];
        for (count, answer) in verdicts.iter_mut().zip(answers) {
            count[answer as usize] += 1;
        }
        kinds.extend(found.not_robust.iter().flat_map(|g| g.events().map(|(_, e)| e.label.kind).collect::<Vec<_>>()));
    }
    assert!(verdicts.iter().flatten().all(|&count| count >= 30), "{verdicts:?}");
    use EventKind::*;
    assert_eq!(kinds, HashSet::from([Read, AwaitRead, Write, Rmw, Fence]));
}
