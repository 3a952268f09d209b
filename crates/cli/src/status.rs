use fencepost_report::Outcome;

/// How a command ended. Of several inputs the greatest counts: an input that was not analysed must not go unnoticed, and
/// neither must a violation among unknowns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    Holds,
    Unknown,
    Violated,
    /// Bad usage, or an input that cannot be read.
    Trouble,
}

impl Status {
    pub fn of(outcome: &Outcome) -> Status {
        match outcome {
            Outcome::Holds => Status::Holds,
            Outcome::Violated => Status::Violated,
            Outcome::Unknown(_) => Status::Unknown,
        }
    }

    pub fn code(self) -> u8 {
        match self {
            Status::Holds => 0,
            Status::Violated => 1,
            Status::Trouble => 2,
            Status::Unknown => 3,
        }
    }
}
