//! Memory models over execution graphs, one file each, by their definitions.
//!
//! A model says which graphs are consistent, and how it sees an SC fence: as a fence, or as an RMW of a location that all SC
//! fences share ([`Model::sc_fence_label`]). A graph must keep its SC fences the way its model sees them; SC-consistency
//! takes them either way, so that robustness compares a model with SC over the same graphs.
//!
//! In all models, an access that is not atomic is consistent where a relaxed one is. What makes it different is races.

mod admission;
mod coherence;
pub mod ibm370;
pub mod jam21;
mod objection;
mod own_relations;
mod pso;
mod ra;
mod rc11;
mod rc20;
mod release_sequences_of_2017;
pub mod rmo;
mod sc;
mod store_buffers;
mod tso;

use std::fmt;
use std::str::FromStr;

pub use admission::Refusal;
use fencepost_graph::{EventLabel, Graph, Relation, Relations};
use fencepost_program::Ordering;
pub use objection::{Axiom, Forced, Objection};
pub use rc11::psc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Model {
    Sc,
    Tso,
    Pso,
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
    pub const ALL: [Model; 9] = [
        Model::Sc,
        Model::Tso,
        Model::Pso,
        Model::Ra,
        Model::Rc20,
        Model::Rc11,
        Model::Jam21,
        Model::Rc11With2017ReleaseSequences,
        Model::Jam21With2017ReleaseSequences,
    ];

    /// Whether the model allows the graph.
    pub fn consistent(self, graph: &Graph) -> bool {
        self.allows(&Relations::of(graph))
    }

    /// [`Model::consistent`], for relations that are at hand already.
    pub fn allows(self, relations: &Relations) -> bool {
        match self {
            Model::Sc => sc::consistent(relations),
            Model::Tso => tso::consistent(relations),
            Model::Pso => pso::consistent(relations),
            Model::Ra => ra::consistent(relations),
            Model::Rc20 => rc20::consistent(relations),
            Model::Rc11 | Model::Rc11With2017ReleaseSequences => rc11::consistent(relations, &self.hb(relations)),
            Model::Jam21 | Model::Jam21With2017ReleaseSequences => jam21::consistent(relations, &self.hb(relations)),
        }
    }

    /// The model's happens-before, which decides what races. Models without one of their own take that of RC20, so that
    /// orderings matter: SC executions of a program with a race are races all the same.
    pub fn hb(self, relations: &Relations) -> Relation {
        match self {
            Model::Ra => relations.hb_ra(),
            Model::Sc | Model::Tso | Model::Pso | Model::Rc20 | Model::Rc11 | Model::Jam21 => relations.hb(),
            Model::Rc11With2017ReleaseSequences | Model::Jam21With2017ReleaseSequences => {
                release_sequences_of_2017::hb(relations)
            }
        }
    }

    /// Whether a thread can always go on from a consistent graph, by reading the newest write or adding one. If not, an
    /// exploration must not drop an inconsistent graph before it is complete, or it misses graphs that it reaches through it.
    /// Every model here is prefix-closed, and JAM21's coherence alone, that of RC11, is extensible.
    pub fn is_extensible(self) -> bool {
        !self.is_jam21()
    }

    /// Whether the model is JAM21, with either kind of release sequences.
    pub fn is_jam21(self) -> bool {
        matches!(self, Model::Jam21 | Model::Jam21With2017ReleaseSequences)
    }

    /// Whether a later write of the same thread to the same location continues a release sequence, as in C11; in C++20 it does
    /// not.
    pub fn own_writes_continue_release_sequences(self) -> bool {
        matches!(self, Model::Rc11With2017ReleaseSequences | Model::Jam21With2017ReleaseSequences)
    }

    /// The event that an SC fence makes.
    pub fn sc_fence_label(self) -> EventLabel {
        if self.sc_fence_is_rmw() { EventLabel::sc_fence_rmw() } else { EventLabel::fence(Ordering::SeqCst) }
    }

    /// Whether SC fences are RMWs of a location of their own (paper 003 Ex. 3.6, paper 001 §3.1).
    pub fn sc_fence_is_rmw(self) -> bool {
        matches!(self, Model::Ra | Model::Rc20)
    }

    pub fn name(self) -> &'static str {
        match self {
            Model::Sc => "sc",
            Model::Tso => "tso",
            Model::Pso => "pso",
            Model::Ra => "ra",
            Model::Rc20 => "rc20",
            Model::Rc11 => "rc11",
            Model::Jam21 => "jam21",
            Model::Rc11With2017ReleaseSequences => "rc11-2017",
            Model::Jam21With2017ReleaseSequences => "jam21-2017",
        }
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
