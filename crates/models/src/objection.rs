//! Why a model forbids a graph: the axiom that is broken, and the cycle that breaks it.

use fencepost_graph::{EventId, Relation, Relations, Step, path};

use crate::descriptor::HappensBefore;

/// Evidence that a graph is not consistent. Every step of the cycle is in the relation that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    pub axiom: Axiom,
    /// JAM21: orders of pushto that the cycle needs and that can only be so, each from po ∪ rf and those before it.
    pub forced: Vec<Forced>,
    /// Each step begins where the one before it ends, and the first where the last ends. An RMW counts as one event, so
    /// that a step from its read to its write begins and ends with it.
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
            Axiom::Coherence => "the order of each location agrees with happens-before (coherence)",
            Axiom::CoherencePerLocation => "the accesses to each location have an interleaving",
            Axiom::GlobalOrder => "preserved program order and communication between processors have no cycle",
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
pub(crate) struct HbSteps {
    parts: [(&'static str, Relation); 2],
    pub closure: Relation,
}

impl HbSteps {
    pub(crate) fn of(hb: HappensBefore, r: &Relations) -> HbSteps {
        HbSteps { parts: [("po", r.po.clone()), hb.part(r)], closure: hb.closure(r) }
    }

    /// Steps of po and sw from one event to another that it happens before.
    pub fn path(&self, from: EventId, to: EventId) -> Vec<Step> {
        let parts: Vec<(&'static str, &Relation)> = self.parts.iter().map(|(name, part)| (*name, part)).collect();
        path(&parts, from, to).unwrap_or_default()
    }
}
