//! What holds of all graphs, tried on random ones. Graphs need no program: no model asks for values.

use std::collections::BTreeSet;

use fastrand::Rng;
use fencepost_graph::{EventId, EventKind, EventLabel, Graph, Relations};
use fencepost_models::{Model, jam21};
use fencepost_program::Ordering::{self, *};

use crate::family::random_family;
use crate::support::{Mix, random_graph};

/// The models that keep an SC fence as a fence, so that they can be asked about the same graphs.
const MODELS: [Model; 5] = [Model::Sc, Model::Tso, Model::Pso, Model::Rc11, Model::Jam21];

fn random_graphs(seed: u64, graphs: usize) -> impl Iterator<Item = (Graph, Mix, Rng)> {
    let mut rng = Rng::with_seed(seed);
    (0..graphs).map(move |_| {
        let mix = Mix::random(&mut rng);
        (random_graph(&mut rng, mix), mix, rng.fork())
    })
}

#[test]
fn the_search_for_a_linearisation_agrees_with_trying_all_of_them() {
    let mut inconsistent = 0;
    for (graph, ..) in random_graphs(1, 20_000) {
        let relations = Relations::of(&graph);
        let consistent = Model::Jam21.allows(&relations);
        assert_eq!(consistent, jam21::consistent_by_enumeration(&relations), "{graph}");
        inconsistent += u32::from(!consistent);
    }
    assert!(inconsistent > 500, "only {inconsistent} graphs are inconsistent");
}

#[test]
fn the_search_agrees_with_enumeration_where_threads_create_and_join_each_other() {
    let mut rng = Rng::with_seed(3);
    let mut inconsistent = 0;
    for _ in 0..10_000 {
        let mix = Mix { threads: 3, locations: 2, events: 9, sc: 80, rmws: 0, fences: 0 };
        let graph = random_family(&mut rng, mix);
        let relations = Relations::of(&graph);
        let consistent = Model::Jam21.allows(&relations);
        assert_eq!(consistent, jam21::consistent_by_enumeration(&relations), "{graph}");
        inconsistent += u32::from(!consistent);
    }
    assert!(inconsistent > 25, "only {inconsistent} graphs are inconsistent");
}

/// Pairs of models of which the first allows a graph that the second does not.
fn not_included(graphs: usize) -> BTreeSet<(Model, Model)> {
    let mut found = BTreeSet::new();
    for (graph, ..) in random_graphs(2, graphs) {
        let relations = Relations::of(&graph);
        let (allowing, forbidding): (Vec<Model>, Vec<Model>) = MODELS.iter().partition(|m| m.allows(&relations));
        found.extend(allowing.iter().flat_map(|&a| forbidding.iter().map(move |&f| (a, f))));
    }
    found
}

/// SC is in all models and TSO in PSO. TSO and PSO are in RC11, because accesses are taken as compilers translate them,
/// but not in JAM21, nor is RC11: SB+rfis shows both.
#[test]
fn models_include_those_that_they_should() {
    use Model::{Jam21, Pso, Rc11, Sc, Tso};
    let not_in: [(Model, &[Model]); 4] =
        [(Tso, &[Sc, Jam21]), (Pso, &[Sc, Tso, Jam21]), (Rc11, &[Sc, Tso, Pso, Jam21]), (Jam21, &[Sc, Tso, Pso, Rc11])];
    let expected = not_in.iter().flat_map(|(model, others)| others.iter().map(|&other| (*model, other))).collect();
    assert_eq!(not_included(20_000), expected);
}

fn stronger(label: &EventLabel) -> &'static [Ordering] {
    match (label.kind, label.order) {
        (_, SeqCst) => &[],
        (EventKind::Read | EventKind::AwaitRead, NonAtomic | Relaxed) => &[Acquire, SeqCst],
        (EventKind::Write, NonAtomic | Relaxed) => &[Release, SeqCst],
        (EventKind::Rmw, NonAtomic | Relaxed) => &[Acquire, Release, AcqRel, SeqCst],
        (EventKind::Rmw | EventKind::Fence, Acquire | Release) => &[AcqRel, SeqCst],
        _ => &[SeqCst],
    }
}

#[test]
fn a_stronger_ordering_never_makes_a_graph_consistent() {
    let mut forbidden = MODELS.map(|model| (model, 0));
    for (graph, _, mut rng) in random_graphs(3, 20_000) {
        let before = Relations::of(&graph);
        let events: Vec<EventId> = graph.events().filter(|(_, e)| !e.is_initial()).map(|(id, _)| id).collect();
        let Some(&event) = rng.choice(&events) else { continue };
        let Some(&order) = rng.choice(stronger(&graph.event(event).label)) else { continue };
        let mut strengthened = graph.clone();
        strengthened.event_mut(event).label.order = order;
        let after = Relations::of(&strengthened);
        for (model, forbidden) in &mut forbidden {
            match (model.allows(&before), model.allows(&after)) {
                (false, true) => panic!("{model} allows event {} to be {order} in\n{graph}", event.0),
                (true, false) => *forbidden += 1,
                _ => {}
            }
        }
    }
    for (model, forbidden) in forbidden {
        assert_eq!(model == Model::Sc, forbidden == 0, "{model} forbids {forbidden} more graphs");
    }
}

#[test]
fn a_graph_without_its_last_event_is_consistent_if_it_was() {
    for (graph, ..) in random_graphs(4, 5_000) {
        let mut shorter = graph.clone();
        shorter.pop();
        for model in MODELS.into_iter().filter(|model| model.consistent(&graph)) {
            assert!(model.consistent(&shorter), "{model}\n{graph}");
        }
    }
}

/// For why JAM21 is not, see [`crate::jam21::a_volatile_access_can_forbid_what_came_before_it`].
#[test]
fn a_thread_can_go_on_from_the_newest_write_where_the_model_is_extensible() {
    let mut stuck = BTreeSet::new();
    for (graph, mix, mut rng) in random_graphs(5, 20_000) {
        let thread = rng.u32(..mix.threads);
        let label = mix.label(&mut rng, &graph, thread);
        let newest = label.address.and_then(|at| graph.writes(at).last().copied());
        let longer = graph.extended(thread, label, newest);
        for model in MODELS.into_iter().filter(|model| model.consistent(&graph) && !model.consistent(&longer)) {
            stuck.insert(model);
        }
    }
    assert_eq!(stuck, MODELS.into_iter().filter(|model| !model.is_extensible()).collect());
}
