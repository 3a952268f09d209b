//! Why a model forbids a graph: the axiom that is broken, and the cycle that breaks it.

use fencepost_graph::{EventId, Graph, Relation, Relations, Step, path};

use crate::{Model, coherence, jam21, pso, rc11, release_sequences_of_2017, sc, tso};

/// Evidence that a graph is not consistent. Every step of the cycle is in the relation that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    pub axiom: Axiom,
    /// JAM21: orders of pushto that the cycle needs and that can only be so, each from po ∪ rf and those before it.
    pub forced: Vec<Forced>,
    /// Each step begins where the one before it ends, and the first where the last ends. An RMW counts as one event, so that a
    /// step from its read to its write begins and ends with it.
    pub cycle: Vec<Step>,
}

/// `first` comes before `second` in pushto, because the other order is impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forced {
    pub first: EventId,
    pub second: EventId,
    /// What the model objects to if `second` comes before `first`.
    pub because: Objection,
}

/// What a consistent graph has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axiom {
    SequentialConsistency,
    NoThinAir,
    Atomicity,
    Coherence,
    CoherencePerLocation,
    GlobalOrder,
    PartialScOrder,
    CoJom,
}

impl Axiom {
    /// The axiom in words.
    pub fn text(self) -> &'static str {
        match self {
            Axiom::SequentialConsistency => "po, rf, mo and fr have no cycle: the threads interleave",
            Axiom::NoThinAir => "po and rf have no cycle: no value comes out of thin air",
            Axiom::Atomicity => "nothing is written between the read and the write of an RMW",
            Axiom::Coherence => "nobody reads or comes before a write older than one known along happens-before",
            Axiom::CoherencePerLocation => "the accesses of each location interleave",
            Axiom::GlobalOrder => "what processors preserve and what they observe of each other has no cycle",
            Axiom::PartialScOrder => "SC accesses and SC fences can be put into one order: psc has no cycle",
            Axiom::CoJom => "some order of volatile accesses and SC fences leaves co-jom without a cycle",
        }
    }
}

impl Objection {
    pub(crate) fn new(axiom: Axiom, cycle: Vec<Step>) -> Objection {
        Objection { axiom, forced: Vec::new(), cycle }
    }
}

/// Happens-before, with the relations of which it is the transitive closure.
pub(crate) struct HappensBefore {
    parts: Vec<(&'static str, Relation)>,
    pub closure: Relation,
}

impl HappensBefore {
    fn of(model: Model, r: &Relations) -> HappensBefore {
        let (name, synchronises) = match model {
            Model::Ra => {
                let atomic = r.set(|e| e.is_atomic());
                ("rf", r.rf.between(&atomic, &atomic))
            }
            _ if model.own_writes_continue_release_sequences() => ("sw", release_sequences_of_2017::sw(r)),
            _ => ("sw", r.sw()),
        };
        HappensBefore { parts: vec![("po", r.po.clone()), (name, synchronises)], closure: model.hb(r) }
    }

    /// Steps of po and sw from one event to another that it happens before.
    pub fn path(&self, from: EventId, to: EventId) -> Vec<Step> {
        let parts: Vec<(&'static str, &Relation)> = self.parts.iter().map(|(name, part)| (*name, part)).collect();
        path(&parts, from, to).unwrap_or_default()
    }
}

impl Model {
    /// Why the model forbids the graph, or `None` if it allows it: the same answer as [`Model::consistent`], with evidence.
    pub fn objection(self, graph: &Graph) -> Option<Objection> {
        let r = &Relations::of(graph);
        match self {
            Model::Sc => sc::objection(r),
            Model::Tso => tso::objection(r),
            Model::Pso => pso::objection(r),
            Model::Ra | Model::Rc20 => coherence::objection(r, &HappensBefore::of(self, r)),
            Model::Rc11 | Model::Rc11With2017ReleaseSequences => {
                let hb = HappensBefore::of(self, r);
                coherence::objection(r, &hb).or_else(|| rc11::objection(r, &hb))
            }
            Model::Jam21 | Model::Jam21With2017ReleaseSequences => {
                coherence::objection(r, &HappensBefore::of(self, r)).or_else(|| jam21::objection(r))
            }
        }
    }
}
