//! What an exploration of all executions has to tell beside its verdict.

use fencepost_program::Value;

/// How many executions there are, and how they end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Executions {
    /// In which all threads have ended.
    pub complete: u64,
    /// In which some thread was cut off by an assumption, a wait or a spin loop.
    pub blocked: u64,
    /// The bound on loops, if it cut off some execution.
    pub bound: Option<u32>,
    /// Of a litmus test.
    pub condition: Option<ConditionAnswer>,
    /// If asked for: the final states, each once.
    pub outcomes: Option<Vec<FinalState>>,
}

/// What the executions say about the condition of a litmus test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionAnswer {
    /// As the file has it, such as `exists (0:r0=0)`.
    pub text: String,
    /// How many complete executions satisfy its proposition, and how many do not.
    pub satisfying: u64,
    pub others: u64,
    /// Whether the condition is true of the executions counted.
    pub holds: bool,
}

impl ConditionAnswer {
    /// `never`, `sometimes` or `always`, as herd has it.
    pub fn observation(&self) -> &'static str {
        match (self.satisfying, self.others) {
            (0, _) => "never",
            (_, 0) => "always",
            _ => "sometimes",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinalState {
    /// By name, such as `0:r0` or `flag[1]`.
    pub values: Vec<(String, Value)>,
    /// How many complete executions end in it.
    pub executions: u64,
    /// Whether it satisfies the proposition of the condition, if there is one.
    pub satisfies: Option<bool>,
}
