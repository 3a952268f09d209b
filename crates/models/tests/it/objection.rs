//! A model objects to exactly the graphs that it forbids, and its objections are proofs: every step is checked here.

use fastrand::Rng;
use fencepost_graph::{Event, EventId, Graph, Relation, Relations, Step};
use fencepost_models::{Axiom, Model, Objection};
use fencepost_testing::{at_least, seeds, trials};

use crate::family::random_family;
use crate::support::{Mix, graphs, random_graph, wild_graph};

/// What a proof is checked with.
struct Checker<'g> {
    model: Model,
    graph: &'g Graph,
    r: Relations<'g>,
    po: Relation,
}

type Pair = (EventId, EventId);

impl Checker<'_> {
    fn event(&self, id: EventId) -> &Event {
        self.graph.event(id)
    }

    /// Whether an objection proves that there is no linearisation, or for other models that the graph is inconsistent,
    /// if pushto has the pairs `given`.
    fn accepts(&self, objection: &Objection, given: &[Pair]) -> bool {
        let mut given = given.to_vec();
        for forced in &objection.forced {
            let mut otherwise = given.clone();
            otherwise.push((forced.second, forced.first));
            if !self.accepts(&forced.because, &otherwise) {
                return false;
            }
            given.push((forced.first, forced.second));
        }
        let cycle = &objection.cycle;
        let closed = cycle.iter().zip(cycle.iter().cycle().skip(1)).all(|(one, next)| one.2 == next.0);
        !cycle.is_empty() && closed && cycle.iter().all(|step| self.is_in_its_relation(step, &given))
    }

    fn is_in_its_relation(&self, &(a, name, b): &Step, given: &[Pair]) -> bool {
        let r = &self.r;
        let same_location = self.event(a).label.address == self.event(b).label.address;
        // An RMW is a read and then a write.
        let po = self.po.contains(a, b) || self.model.is_jam21() && a == b && self.event(a).is_rmw();
        let order = |e: EventId| self.event(e).label.order;
        let access = |e: EventId| !self.event(e).is_fence();
        match name {
            "po" => po,
            "rf" => r.rf.contains(a, b),
            "rf⁻¹" => r.rf.contains(b, a),
            "mo" => r.mo.contains(a, b),
            "fr" => r.fr.contains(a, b),
            "sw" => self.model.hb(r).contains(a, b) && order(a).is_release() && order(b).is_acquire(),
            "po-loc" => po && same_location,
            "rfe" => r.rf.contains(a, b) && self.event(a).thread != self.event(b).thread,
            "ppo" => {
                let (first_reads, second_writes) = (self.event(a).reads(), self.event(b).writes());
                let kept = match self.model {
                    Model::Ibm370 => first_reads || second_writes || same_location,
                    Model::Tso => first_reads || second_writes,
                    Model::Pso => first_reads || second_writes && same_location,
                    _ => same_location && (first_reads || second_writes),
                };
                po && kept && access(a) && access(b)
            }
            "barrier" => po && self.some_between(a, b, is_strong),
            "ra" => po && self.some_between(a, b, |e| !e.is_fence() && is_strong(e)),
            "svo" => {
                let fence = |e: &Event| e.is_fence() && !e.writes();
                po && self.some_between(a, b, |e| fence(e) && e.label.order.is_release())
                    && self.some_between(a, b, |e| fence(e) && e.label.order.is_acquire())
                    && self.some_between(a, b, |e| !e.is_fence())
            }
            "spush" => po && self.some_between(a, b, |e| e.is_fence() && e.label.order.is_sc()),
            "volint" => po && access(a) && access(b) && order(a).is_sc() && order(b).is_sc(),
            "pushto" => self.follows(a, b, given),
            _ => false,
        }
    }

    /// Between two events of a thread; parts of the two themselves count if they are RMWs or SC accesses that are
    /// barriers.
    fn some_between(&self, a: EventId, b: EventId, holds: impl Fn(&Event) -> bool) -> bool {
        let parts = |e: EventId| self.event(e).is_rmw() || !self.model.is_jam21();
        let is_between = |m: EventId| {
            (self.po.contains(a, m) || m == a && parts(a)) && (self.po.contains(m, b) || m == b && parts(b))
        };
        self.graph.events().any(|(m, e)| is_between(m) && holds(e))
    }

    /// Whether an order of pushto follows from po ∪ rf and the pairs.
    fn follows(&self, a: EventId, b: EventId, given: &[Pair]) -> bool {
        let mut order: Relation = &self.r.po | &self.r.rf;
        given.iter().for_each(|&(first, second)| order.insert(first, second));
        order.closure().contains(a, b) || a == b && self.event(a).is_rmw()
    }
}

fn is_strong(event: &Event) -> bool {
    event.label.order.is_acquire() || event.label.order.is_release()
}

/// The objection of a model, checked.
fn objection(model: Model, graph: &Graph) -> Option<Objection> {
    let found = model.objection(graph);
    assert_eq!(found.is_none(), model.consistent(graph), "{model}\n{graph}");
    if let Some(objection) = &found {
        let r = Relations::of(graph);
        // The coherence that JAM21 shares with RC11 knows nothing about creation and join; its other rule does.
        let po = if objection.axiom == Axiom::CoJom { r.po_across_threads() } else { r.po.clone() };
        let checker = Checker { model, graph, r, po };
        assert!(checker.accepts(objection, &[]), "{model}: {objection:?}\n{graph}");
        let turned_round = objection.cycle.iter().rev().map(|&(a, name, b)| (b, name, a)).collect();
        let backwards = Objection { cycle: turned_round, ..objection.clone() };
        assert!(!checker.accepts(&backwards, &[]), "{model}: {backwards:?}\n{graph}");
    }
    found
}

#[test]
fn models_object_to_what_they_forbid_and_every_step_is_in_its_relation() {
    let mut rng = Rng::with_seed(21);
    let mut axioms = std::collections::HashMap::new();
    let mut with_forced_orders = 0;
    for seed in seeds(trials(6_000)) {
        let mix = Mix::random(&mut rng);
        let graph = match seed % 3 {
            0 => wild_graph(&mut rng, mix),
            1 => random_graph(&mut rng, mix),
            _ => random_family(&mut rng, mix),
        };
        for model in Model::ALL {
            if let Some(objection) = objection(model, &graph) {
                *axioms.entry(objection.axiom).or_insert(0) += 1;
                with_forced_orders += u64::from(!objection.forced.is_empty());
            }
        }
    }
    use Axiom::*;
    let reached =
        [SequentialConsistency, Atomicity, Coherence, CoherencePerLocation, GlobalOrder, PartialScOrder, CoJom];
    assert!(reached.iter().all(|axiom| axioms.get(axiom) > Some(&at_least(50, 6_000))), "{axioms:?}");
    assert!(with_forced_orders > at_least(20, 6_000), "{with_forced_orders}");
}

/// The derivation that `docs/reference/jam21.md` has for WWR+2WR: F before A, B before D, then a cycle of B and F.
#[test]
fn jam21_objects_to_wwr_2wr_by_orders_that_are_forced_one_by_one() {
    let threads = [
        "x.store(1, sc); y.store(1, sc); a = z.load(sc); assume(a == 0);",
        "z.store(1, sc); b = y.load(sc); assume(b == 2);",
        "y.store(2, sc); c = x.load(sc); assume(c == 0);",
    ];
    let weak = graphs(&threads, Model::Rc20);
    assert_eq!(weak.len(), 2);
    for graph in weak {
        let objection = objection(Model::Jam21, &graph).expect("JAM21 forbids it");
        assert_eq!((objection.axiom, objection.forced.len()), (Axiom::CoJom, 2));
        assert!(objection.forced.iter().all(|forced| forced.because.forced.is_empty()));
    }
}
