//! Memory models over execution graphs, one file each, by their definitions.
//!
//! A model says which graphs are consistent, and how it sees an SC fence: as a fence, or as an RMW of a location that all SC
//! fences share ([`Model::sc_fence_label`]). A graph must keep its SC fences the way its model sees them; SC-consistency
//! takes them either way, so that robustness compares a model with SC over the same graphs.
//!
//! In all models, an access that is not atomic is consistent where a relaxed one is. What makes it different is races.

mod admission;
mod coherence;
pub mod jam21;
mod pso;
mod ra;
mod rc11;
mod rc20;
mod sc;
mod store_buffers;
mod tso;

use std::fmt;
use std::str::FromStr;

pub use admission::Refusal;
use fencepost_graph::{EventLabel, Graph, Relation, Relations};
use fencepost_program::Ordering;
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
}

impl Model {
    pub const ALL: [Model; 7] = [Model::Sc, Model::Tso, Model::Pso, Model::Ra, Model::Rc20, Model::Rc11, Model::Jam21];

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
            Model::Rc11 => rc11::consistent(relations),
            Model::Jam21 => jam21::consistent(relations),
        }
    }

    /// The model's happens-before, which decides what races. Models without one of their own take that of RC20, so that
    /// orderings matter: SC executions of a program with a race are races all the same.
    pub fn hb(self, relations: &Relations) -> Relation {
        match self {
            Model::Ra => relations.hb_ra(),
            Model::Sc | Model::Tso | Model::Pso | Model::Rc20 | Model::Rc11 | Model::Jam21 => relations.hb(),
        }
    }

    /// Whether a thread can always go on from a consistent graph, by reading the newest write or adding one. If not, an
    /// exploration must not drop an inconsistent graph before it is complete, or it misses graphs that it reaches through it.
    /// Every model here is prefix-closed, and JAM21's coherence alone, that of RC11, is extensible.
    pub fn is_extensible(self) -> bool {
        self != Model::Jam21
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
