//! Memory models over execution graphs, one file each, by their definitions.
//!
//! A model says which graphs are consistent, and how it sees an SC fence: as a fence, or as an RMW of a location that
//! all SC fences share ([`Model::sc_fence_label`]). A graph must keep its SC fences the way its model sees them;
//! SC-consistency takes them either way, so that robustness compares a model with SC over the same graphs.
//!
//! In all models, an access that is not atomic is consistent where a relaxed one is. What makes it different is races.
//!
//! Store buffering, with both reads stale, is consistent with TSO and RC11, but not with SC:
//!
//! ```
//! use fencepost_graph::{EventLabel, Graph};
//! use fencepost_models::Model;
//! use fencepost_program::{Address, Ordering, Span};
//!
//! let (x, y) = (Address(0), Address(1));
//! let mut graph = Graph::initial([(x, 0), (y, 0)]);
//! let (x_initial, y_initial) = (graph.writes(x)[0], graph.writes(y)[0]);
//! for (thread, written, w, read, r) in [(0, x, x_initial, y, y_initial), (1, y, y_initial, x, x_initial)] {
//!     graph.push(thread, EventLabel::write(Ordering::Release, written, 1), Span::default(), Some(w));
//!     graph.push(thread, EventLabel::read(Ordering::Acquire, read, 0), Span::default(), Some(r));
//! }
//! assert!(Model::Tso.consistent(&graph) && Model::Rc11.consistent(&graph));
//! assert!(!Model::Sc.consistent(&graph));
//!
//! let objection = Model::Sc.objection(&graph).expect("SC does not allow it");
//! assert_eq!(objection.cycle.len(), 4);
//! ```

mod admission;
mod coherence;
mod descriptor;
mod happens_before;
mod ibm370;
pub mod jam21;
mod objection;
mod own_relations;
mod processor;
mod pso;
mod ra;
mod rc11;
mod rc20;
mod rmo;
mod sc;
mod tso;

use std::fmt;
use std::str::FromStr;

pub use admission::Refusal;
pub use descriptor::{Access, Axioms, Beyond, Descriptor, Engine, HappensBefore, Orderings, Ppo, Strength};
use fencepost_graph::{EventLabel, Graph, Relation, Relations};
use fencepost_program::{Membar, Ordering, Program};
pub use objection::{Axiom, Forced, Objection};
pub use rc11::psc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Model {
    Sc,
    Ibm370,
    Tso,
    Pso,
    Rmo,
    Ra,
    Rc20,
    Rc11,
    Jam21,
    /// RC11 as published, in whose release sequences the releasing thread's own later writes take part.
    Rc11With2017ReleaseSequences,
    /// JAM21 over the happens-before of RC11 as published. The counts of paper 004 are of this model.
    Jam21With2017ReleaseSequences,
}

impl Model {
    pub const ALL: [Model; 11] = [
        Model::Sc,
        Model::Ibm370,
        Model::Tso,
        Model::Pso,
        Model::Rmo,
        Model::Ra,
        Model::Rc20,
        Model::Rc11,
        Model::Jam21,
        Model::Rc11With2017ReleaseSequences,
        Model::Jam21With2017ReleaseSequences,
    ];

    /// All that tells the model from others.
    pub const fn descriptor(self) -> &'static Descriptor {
        match self {
            Model::Sc => &sc::SC,
            Model::Ibm370 => &ibm370::IBM370,
            Model::Tso => &tso::TSO,
            Model::Pso => &pso::PSO,
            Model::Rmo => &rmo::RMO,
            Model::Ra => &ra::RA,
            Model::Rc20 => &rc20::RC20,
            Model::Rc11 => &rc11::RC11,
            Model::Jam21 => &jam21::JAM21,
            Model::Rc11With2017ReleaseSequences => &rc11::RC11_2017,
            Model::Jam21With2017ReleaseSequences => &jam21::JAM21_2017,
        }
    }

    /// The models that an engine takes.
    pub fn of(engine: Engine) -> impl Iterator<Item = Model> {
        Model::ALL.into_iter().filter(move |model| model.descriptor().engines.contains(&engine))
    }

    /// The models of an engine that take the program.
    pub fn admitting(engine: Engine, program: &Program) -> impl Iterator<Item = Model> {
        Model::of(engine).filter(move |model| model.admit(engine, program).is_ok())
    }

    pub fn name(self) -> &'static str {
        self.descriptor().name
    }

    /// What orderings mean under the model.
    pub fn orderings(self) -> Orderings {
        self.descriptor().orderings
    }

    /// Whether the model allows the graph.
    pub fn consistent(self, graph: &Graph) -> bool {
        self.allows(&Relations::of(graph))
    }

    /// [`Model::consistent`], for relations that are at hand already.
    pub fn allows(self, r: &Relations) -> bool {
        match self.descriptor().axioms {
            Axioms::Interleaving => sc::consistent(r),
            Axioms::GlobalOrder(ppo) => processor::consistent(r, ppo),
            Axioms::Coherence(hb, beyond) => {
                let hb = hb.closure(r);
                coherence::coherent(r, &hb)
                    && match beyond {
                        Beyond::Nothing => true,
                        Beyond::PartialScOrder => psc(r, &hb).is_acyclic(),
                        Beyond::Jam21 => jam21::has_linearisation(r),
                    }
            }
        }
    }

    /// Why the model forbids the graph, or `None` if it allows it: the same answer as [`Model::consistent`], with
    /// evidence.
    pub fn objection(self, graph: &Graph) -> Option<Objection> {
        let r = &Relations::of(graph);
        match self.descriptor().axioms {
            Axioms::Interleaving => sc::objection(r),
            Axioms::GlobalOrder(ppo) => processor::objection(r, ppo),
            Axioms::Coherence(hb, beyond) => {
                let hb = objection::HbSteps::of(hb, r);
                coherence::objection(r, &hb).or_else(|| match beyond {
                    Beyond::Nothing => None,
                    Beyond::PartialScOrder => rc11::objection(r, &hb),
                    Beyond::Jam21 => jam21::objection(r),
                })
            }
        }
    }

    /// The model's happens-before, which decides what races. Models without one of their own take that of C++20, so
    /// that orderings matter: SC executions of a program with a race are races all the same.
    pub fn happens_before(self) -> HappensBefore {
        match self.descriptor().axioms {
            Axioms::Interleaving | Axioms::GlobalOrder(_) => HappensBefore::Cpp20,
            Axioms::Coherence(hb, _) => hb,
        }
    }

    /// The relation of [`Model::happens_before`] in a graph.
    pub fn hb(self, relations: &Relations) -> Relation {
        self.happens_before().closure(relations)
    }

    /// Whether `first` takes effect before `second`, which follows it in program order, with these membars in between:
    /// NoReorder of paper 002 §4.2 and §4.3. W→R of one cell is kept only where a load waits for its own thread's
    /// store; elsewhere it may read it early (§4.6).
    pub fn no_reorder(self, first: Access, second: Access, between: Membar) -> bool {
        between.orders((first.reads, first.writes), (second.reads, second.writes))
            || match self.descriptor().axioms {
                Axioms::Interleaving => true,
                Axioms::GlobalOrder(ppo) => ppo(first, second),
                Axioms::Coherence(..) => false,
            }
    }

    /// Whether a store always waits for the loads before it. If not, a store behind a failed assertion may have taken
    /// effect: the assertion does not hold it back.
    pub fn keeps_stores_behind_loads(self) -> bool {
        let load = Access { reads: true, writes: false, cell: None };
        let store = Access { reads: false, writes: true, cell: None };
        self.no_reorder(load, store, Membar::NONE)
    }

    /// Whether a thread can always go on from a consistent graph, by reading the newest write or adding one. If not, an
    /// exploration must not drop an inconsistent graph before it is complete, or it misses graphs that it reaches
    /// through it. Every model here is prefix-closed, and JAM21's coherence alone, that of RC11, is extensible.
    pub fn is_extensible(self) -> bool {
        !self.is_jam21()
    }

    /// Whether the model is JAM21, with either kind of release sequences.
    pub fn is_jam21(self) -> bool {
        matches!(self.descriptor().axioms, Axioms::Coherence(_, Beyond::Jam21))
    }

    /// The event that an SC fence makes.
    pub fn sc_fence_label(self) -> EventLabel {
        if self.sc_fence_is_rmw() { EventLabel::sc_fence_rmw() } else { EventLabel::fence(Ordering::SeqCst) }
    }

    /// Whether SC fences are RMWs of a location of their own (paper 003 Ex. 3.6, paper 001 §3.1).
    pub fn sc_fence_is_rmw(self) -> bool {
        self.orderings().sc_fence_is_rmw()
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text that is not the name of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownModel(pub String);

impl fmt::Display for UnknownModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Model::ALL.iter().map(|m| m.name()).collect();
        write!(f, "there is no memory model '{}'; the models are {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownModel {}

impl FromStr for Model {
    type Err = UnknownModel;

    fn from_str(text: &str) -> Result<Model, UnknownModel> {
        let found = Model::ALL.into_iter().find(|m| m.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| UnknownModel(text.to_owned()))
    }
}
