//! The bit matrix against sets of pairs, for graphs that fit into a word and for larger ones.

use std::collections::BTreeSet;

use fastrand::Rng;
use fencepost_graph::{EventId, EventSet, Relation, cycle, path};

type Pairs = BTreeSet<(u32, u32)>;

const SIZES: [usize; 6] = [1, 5, 24, 63, 65, 130];

fn random_pairs(rng: &mut Rng, events: usize, count: usize) -> Pairs {
    (0..count).map(|_| (rng.u32(..events as u32), rng.u32(..events as u32))).collect()
}

fn relation(events: usize, pairs: &Pairs) -> Relation {
    let mut relation = Relation::empty(events);
    for &(a, b) in pairs {
        relation.insert(EventId(a), EventId(b));
    }
    relation
}

fn pairs(relation: &Relation) -> Pairs {
    relation.pairs().map(|(a, b)| (a.0, b.0)).collect()
}

fn compose(left: &Pairs, right: &Pairs) -> Pairs {
    left.iter().flat_map(|&(a, b)| right.iter().filter(move |&&(c, _)| b == c).map(move |&(_, d)| (a, d))).collect()
}

fn closure(mut pairs: Pairs) -> Pairs {
    loop {
        let longer: Pairs = compose(&pairs, &pairs).difference(&pairs).copied().collect();
        if longer.is_empty() {
            return pairs;
        }
        pairs.extend(longer);
    }
}

#[test]
fn operations_agree_with_sets_of_pairs() {
    let mut rng = Rng::with_seed(1);
    for events in SIZES.into_iter().cycle().take(60) {
        let (left, right) = (random_pairs(&mut rng, events, events), random_pairs(&mut rng, events, events));
        let (l, r) = (relation(events, &left), relation(events, &right));
        assert_eq!(pairs(&(&l | &r)), &left | &right);
        assert_eq!(pairs(&(&l & &r)), &left & &right);
        assert_eq!(pairs(&l.then(&r)), compose(&left, &right));
        assert_eq!(pairs(&l.inverse()), left.iter().map(|&(a, b)| (b, a)).collect());
        assert_eq!(pairs(&l.closure()), closure(left.clone()));
        assert_eq!(l.then_is_irreflexive(&r), compose(&left, &right).iter().all(|(a, b)| a != b));
        assert_eq!(l.is_irreflexive(), left.iter().all(|(a, b)| a != b));
        assert_eq!(l.is_acyclic(), closure(left.clone()).iter().all(|(a, b)| a != b));
        let reflexive = (0..events as u32).map(|e| (e, e)).collect();
        assert_eq!(pairs(&l.optional()), &left | &reflexive);
    }
}

#[test]
fn restrictions_agree_with_sets_of_pairs() {
    let mut rng = Rng::with_seed(2);
    for events in SIZES.into_iter().cycle().take(60) {
        let all = random_pairs(&mut rng, events, 3 * events);
        let mut set = EventSet::empty(events);
        let mut members = BTreeSet::new();
        for e in (0..events as u32).filter(|_| rng.bool()) {
            set.insert(EventId(e));
            members.insert(e);
        }
        let r = relation(events, &all);
        let keep = |f: &dyn Fn(&(u32, u32)) -> bool| all.iter().copied().filter(|p| f(p)).collect::<Pairs>();
        assert_eq!(pairs(&r.from_set(&set)), keep(&|(a, _)| members.contains(a)));
        assert_eq!(pairs(&r.into_set(&set)), keep(&|(_, b)| members.contains(b)));
        assert_eq!(pairs(&r.between(&set, &set)), keep(&|(a, b)| members.contains(a) && members.contains(b)));
        assert_eq!(pairs(&Relation::identity_on(&set, events)), members.iter().map(|&e| (e, e)).collect());
        assert_eq!(pairs(&r.filter(|a, b| a < b)), keep(&|(a, b)| a < b));
        let domain: BTreeSet<u32> = r.domain().iter().map(|e| e.0).collect();
        assert_eq!(domain, all.iter().map(|&(a, _)| a).collect());
    }
}

#[test]
fn a_path_is_made_of_edges_and_exists_iff_the_closure_has_the_pair() {
    let mut rng = Rng::with_seed(3);
    for events in SIZES.into_iter().cycle().take(30) {
        let (first, second) = (random_pairs(&mut rng, events, events / 2), random_pairs(&mut rng, events, events / 2));
        let (first, second) = (relation(events, &first), relation(events, &second));
        let reachable = (&first | &second).closure();
        let named = [("first", &first), ("second", &second)];
        for _ in 0..50 {
            let (a, b) = (EventId(rng.u32(..events as u32)), EventId(rng.u32(..events as u32)));
            let found = path(&named, a, b);
            assert_eq!(found.is_some(), reachable.contains(a, b));
            let Some(steps) = found else { continue };
            assert_eq!((steps[0].0, steps[steps.len() - 1].2), (a, b));
            assert!(steps.windows(2).all(|pair| pair[0].2 == pair[1].0));
            for (from, name, to) in steps {
                assert!(if name == "first" { &first } else { &second }.contains(from, to));
            }
        }
        assert_eq!(cycle(&named).is_none(), (&first | &second).is_acyclic());
    }
}

#[test]
fn a_path_is_shortest_and_prefers_the_relation_that_comes_first() {
    let slow = relation(4, &Pairs::from([(0, 1), (1, 2), (2, 3)]));
    let fast = relation(4, &Pairs::from([(0, 2), (2, 3)]));
    let steps = path(&[("slow", &slow), ("fast", &fast)], EventId(0), EventId(3));
    assert_eq!(steps, Some(vec![(EventId(0), "fast", EventId(2)), (EventId(2), "slow", EventId(3))]));
}

#[test]
fn a_removed_event_is_no_longer_in_a_set() {
    let mut set = EventSet::all(130);
    set.remove(EventId(128));
    assert!(!set.contains(EventId(128)) && set.contains(EventId(64)));
    assert_eq!(set.iter().count(), 129);
}
