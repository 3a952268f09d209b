//! The executions of a program under several models, side by side.

use crate::{Listing, Outcome, WitnessGraph};

#[derive(Clone, Debug)]
pub struct Comparison {
    /// Holds if all models that can be compared allow the same executions.
    pub outcome: Outcome,
    pub models: Vec<ModelCount>,
    pub differences: Vec<Difference>,
    /// Pairs of models that cannot be compared.
    pub incomparable: Vec<(String, String)>,
}

impl Comparison {
    /// With nothing compared yet.
    pub fn new(outcome: Outcome) -> Comparison {
        Comparison { outcome, models: Vec::new(), differences: Vec::new(), incomparable: Vec::new() }
    }
}

/// How many executions a model allows.
#[derive(Clone, Debug)]
pub struct ModelCount {
    pub model: String,
    pub complete: u64,
    pub blocked: u64,
    pub seconds: f64,
    /// The bound on loops, if it cut off some execution.
    pub bound: Option<u32>,
}

/// Complete executions that one model allows and another forbids.
#[derive(Clone, Debug)]
pub struct Difference {
    pub allowed_by: String,
    pub forbidden_by: String,
    pub executions: u64,
    /// One of them, as a list and as a drawing.
    pub example: Listing,
    pub graph: WitnessGraph,
    /// Why that one is forbidden, a line each.
    pub reason: Vec<String>,
}
