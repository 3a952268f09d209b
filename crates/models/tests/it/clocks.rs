//! JAM21 by clocks gives the answers of the definition.

use fastrand::Rng;
use fencepost_graph::Relations;
use fencepost_models::Model;
use fencepost_models::jam21::{Jam21By, consistent_by_clocks, consistent_by_relation};

use crate::family::{random_family, without_creation_and_join};
use crate::support::{Mix, random_graph, wild_graph};

#[test]
fn clocks_agree_with_the_relations_on_coherent_graphs() {
    let mut rng = Rng::with_seed(11);
    let mut inconsistent = 0;
    for _ in 0..40_000 {
        let mut mix = Mix::random(&mut rng);
        mix.sc = [10, 25, 40, 70, 90, 100][rng.usize(..6)];
        mix.fences = [0, 10, 30, 50][rng.usize(..4)];
        mix.events = rng.usize(5..=16);
        let graph = random_graph(&mut rng, mix);
        let expected = consistent_by_relation(&graph);
        assert_eq!(consistent_by_clocks(&graph), expected, "{graph}");
        for by in Jam21By::ALL {
            assert_eq!(by.consistent_if_coherent(&graph), expected, "{graph}");
        }
        inconsistent += u32::from(!expected);
    }
    assert!(inconsistent > 1_000, "only {inconsistent} graphs are inconsistent");
}

#[test]
fn clocks_agree_with_the_relations_on_graphs_that_need_not_be_coherent() {
    let mut rng = Rng::with_seed(12);
    let mut coherent = 0;
    for _ in 0..40_000 {
        let mut mix = Mix::random(&mut rng);
        mix.sc = [0, 10, 40][rng.usize(..3)];
        mix.events = rng.usize(3..=8);
        let graph = wild_graph(&mut rng, mix);
        assert_eq!(consistent_by_clocks(&graph), consistent_by_relation(&graph), "{graph}");
        coherent += u32::from(Model::Rc20.allows(&Relations::of(&graph)));
    }
    assert!((4_000..36_000).contains(&coherent), "{coherent} graphs are coherent");
}

/// What a thread does before it creates another, and what it does after it has joined another, is ordered with the
/// other by po.
#[test]
fn clocks_agree_with_the_relations_where_threads_create_and_join_each_other() {
    let mut rng = Rng::with_seed(14);
    let (mut inconsistent, mut because_of_threads) = (0, 0);
    for _ in 0..40_000 {
        let mut mix = Mix::random(&mut rng);
        mix.threads = rng.u32(2..=5);
        mix.sc = [10, 25, 40, 70, 90, 100][rng.usize(..6)];
        mix.fences = [0, 10, 30, 50][rng.usize(..4)];
        mix.events = rng.usize(8..=24);
        let graph = random_family(&mut rng, mix);
        let expected = consistent_by_relation(&graph);
        assert_eq!(consistent_by_clocks(&graph), expected, "{graph}");
        for by in Jam21By::ALL {
            assert_eq!(by.consistent_if_coherent(&graph), expected, "{graph}");
        }
        inconsistent += u32::from(!expected);
        because_of_threads += u32::from(!expected && consistent_by_relation(&without_creation_and_join(&graph)));
    }
    assert!(inconsistent > 1_000, "only {inconsistent} graphs are inconsistent");
    assert!(because_of_threads > 50, "only {because_of_threads} graphs are inconsistent because of creation and join");
}

/// Rows of more than one word.
#[test]
fn clocks_agree_with_the_relations_on_large_graphs() {
    let mut rng = Rng::with_seed(13);
    let mut inconsistent = 0;
    for _ in 0..60 {
        let mix = Mix { threads: 4, locations: 30, events: rng.usize(40..=110), sc: 20, rmws: 10, fences: 5 };
        let graph = random_graph(&mut rng, mix);
        let expected = consistent_by_relation(&graph);
        assert_eq!(consistent_by_clocks(&graph), expected, "{graph}");
        inconsistent += u32::from(!expected);
    }
    assert!((10..50).contains(&inconsistent), "{inconsistent} graphs are inconsistent");
}
