//! JAM21, the Java access modes of paper 004 §4.2, for programs with C11 orderings.
//!
//! The thesis writes Java's modes as C11's: plain is `na`, opaque is `rlx`, release and acquire are `rel` and `acq`,
//! and volatile is `sc`. Its fences are `rel`, `acq` and `sc`. Its model checker looks only at graphs that are coherent
//! and atomic as in RC11, and asks for JAM21 in place of psc; so does this model. See `docs/reference/jam21.md`.
//!
//! How the definition is read where the thesis leaves it open:
//! - In ra and volint, E stands for accesses; fences have svo and spush. An SC fence is a release and an acquire fence
//!   too.
//! - `[init]` is one relaxed write to each location, po-before everything.
//! - Creation and join are program order: a thread's parent up to its creation, the thread, and the joining thread from
//!   then on. The creating write and the joining read are a release and an acquire access, so ra makes all that was
//!   before visible.
//! - An RMW is a read and a write in po, as in the thesis' tool, which has no other events (`accesses`).

mod accesses;
mod clocks;
mod linearisation;
mod objection;

use accesses::Accesses;
pub use clocks::consistent_by_clocks;
use fencepost_graph::{EventSet, Graph, Relation, Relations};
pub(crate) use objection::objection;

use crate::Model;
use crate::coherence::coherent;
use crate::descriptor::{Axioms, Beyond, Descriptor, Engine, HappensBefore, Orderings};

pub(crate) const JAM21: Descriptor = Descriptor {
    name: "jam21",
    help: "the access modes of Java",
    engines: &[Engine::Explore],
    orderings: Orderings::C11,
    axioms: Axioms::Coherence(HappensBefore::Cpp20, Beyond::Jam21),
};

pub(crate) const JAM21_2017: Descriptor = Descriptor {
    name: "jam21-2017",
    help: "jam21 over the happens-before of rc11-2017",
    engines: &[Engine::Explore],
    orderings: Orderings::C11,
    axioms: Axioms::Coherence(HappensBefore::C11, Beyond::Jam21),
};

/// How to decide whether JAM21 allows a graph. Both give the same answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Jam21By {
    /// The relations of the definition.
    Relation,
    /// Clocks, which are much faster.
    #[default]
    Clocks,
}

impl Jam21By {
    pub const ALL: [Jam21By; 2] = [Jam21By::Relation, Jam21By::Clocks];

    pub fn consistent(self, graph: &Graph) -> bool {
        match self {
            Jam21By::Relation => consistent_by_relation(graph),
            Jam21By::Clocks => consistent_by_clocks(graph),
        }
    }

    /// Whether JAM21 allows a graph that is known to be coherent and atomic.
    pub fn consistent_if_coherent(self, graph: &Graph) -> bool {
        match self {
            Jam21By::Relation => has_linearisation(&Relations::of(graph)),
            Jam21By::Clocks => clocks::coherent_graph_is_consistent(graph),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Jam21By::Relation => "relation",
            Jam21By::Clocks => "clocks",
        }
    }
}

/// Whether JAM21 allows the graph; by the relations of the definition.
pub fn consistent_by_relation(graph: &Graph) -> bool {
    Model::Jam21.consistent(graph)
}

/// Whether some pushto leaves co-jom acyclic, for a coherent graph.
pub(crate) fn has_linearisation(r: &Relations) -> bool {
    co_jom_follows_mo(r) || Visibility::of(r).has_linearisation()
}

/// Two cases in which co-jom is known to be part of mo, and so acyclic. Nothing is stronger than relaxed: vo is rf ∪
/// po-loc, and coherence says the rest. Or the graph is sequentially consistent: let pushto follow the order in which
/// it can have run.
fn co_jom_follows_mo(r: &Relations) -> bool {
    is_all_relaxed(r.graph) || r.hb_sc_step().is_acyclic()
}

fn is_all_relaxed(graph: &Graph) -> bool {
    graph.events().all(|(_, e)| !e.label.order.is_acquire() && !e.label.order.is_release())
}

/// Consistency by the letter: every linearisation is tried, and no case is settled beforehand. This is what the search
/// of [`Model::Jam21`] is tested against; its cost is factorial.
pub fn consistent_by_enumeration(r: &Relations) -> bool {
    coherent(r, &r.hb()) && Visibility::of(r).has_linearisation_by_enumeration()
}

/// The relations of paper 004 §4.2 that do not depend on pushto.
struct Visibility {
    po: Relation,
    po_loc: Relation,
    rf_inverse: Relation,
    /// (po ∪ rf)+, which pushto must not contradict.
    po_rf: Relation,
    /// rf ∪ ra ∪ svo ∪ spush ∪ volint.
    vvo_without_pushto: Relation,
    /// spush ∪ volint.
    push: Relation,
    corr: Relation,
    /// p ∈ Wx, q ∈ Wx, p ≠ q: what co-jom is about.
    distinct_writes: Relation,
    initial: EventSet,
}

impl Visibility {
    fn of(r: &Relations) -> Visibility {
        let accesses = Accesses::of(r);
        let push = spush(&accesses) | volint(&accesses);
        let rf_inverse = accesses.rf.inverse();
        Visibility {
            po_loc: accesses.po.filter(|a, b| accesses.same_location(a, b)),
            po_rf: (&accesses.po | &accesses.rf).closure(),
            vvo_without_pushto: &accesses.rf | ra(&accesses) | svo(&accesses) | &push,
            push,
            corr: accesses.rf.then(&accesses.po).then(&rf_inverse),
            rf_inverse,
            distinct_writes: accesses.distinct_writes(),
            initial: accesses.set(|e| e.is_initial),
            po: accesses.po,
        }
    }

    /// vvo = `rf ∪ ra ∪ svo ∪ spush ∪ volint ∪ pushto ; (spush ∪ volint)`, vo = `vvo+ ∪ po-loc`.
    fn vo(&self, pushto: &Relation) -> Relation {
        let vvo = &self.vvo_without_pushto | pushto.then(&self.push);
        vvo.closure() | &self.po_loc
    }

    /// co-jom = coww ∪ cowr ∪ corw ∪ corr = `vo ∪ vo ; rf⁻¹ ∪ vo ; po ∪ rf ; po ; rf⁻¹`, between distinct writes to one
    /// location.
    fn co_jom(&self, pushto: &Relation) -> Relation {
        let vo = self.vo(pushto);
        let cowr = vo.then(&self.rf_inverse);
        let corw = vo.then(&self.po);
        &(vo | cowr | corw | &self.corr) & &self.distinct_writes
    }

    fn is_coherent(&self, pushto: &Relation) -> bool {
        self.co_jom(pushto).is_acyclic()
    }
}

/// ra = `po ; ([Esc] ∪ [Erel] ∪ [Eacq]) ; po`.
fn ra(g: &Accesses) -> Relation {
    let ordered = g.set(|e| !e.is_fence && (e.is_sc || e.is_release || e.is_acquire));
    g.po.into_set(&ordered).then(&g.po)
}

/// svo = `po ; [Frel] ; po ; [W ∪ R] ; po ; [Facq] ; po`.
fn svo(g: &Accesses) -> Relation {
    let release_fences = g.set(|e| e.is_fence && e.is_release);
    let acquire_fences = g.set(|e| e.is_fence && e.is_acquire);
    let accesses = g.set(|e| !e.is_fence);
    let to_access = g.po.into_set(&release_fences).then(&g.po.into_set(&accesses));
    to_access.then(&g.po.into_set(&acquire_fences)).then(&g.po)
}

/// spush = `po ; [Fsc] ; po`.
fn spush(g: &Accesses) -> Relation {
    g.po.into_set(&g.set(|e| e.is_fence && e.is_sc)).then(&g.po)
}

/// volint = `[Esc] ; po ; [Esc]`.
fn volint(g: &Accesses) -> Relation {
    let volatile = g.set(|e| !e.is_fence && e.is_sc);
    g.po.between(&volatile, &volatile)
}
