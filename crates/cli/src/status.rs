use fencepost_story::{Outcome, Reason};

/// How a command ended. Of several inputs the greatest counts: an input that was not analysed must not go unnoticed,
/// and neither must a violation among unknowns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    Holds,
    Unknown,
    Violated,
    /// Bad usage, or an input that cannot be read or has in it what is not supported.
    Trouble,
}

impl Status {
    pub fn of(outcome: &Outcome) -> Status {
        match outcome {
            Outcome::Holds => Status::Holds,
            Outcome::Violated => Status::Violated,
            Outcome::Unknown(Reason::Unsupported(_)) => Status::Trouble,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_supported_is_trouble_and_a_limit_is_not() {
        let status = |reason| Status::of(&Outcome::Unknown(reason)).code();
        assert_eq!(status(Reason::Unsupported("a.c:1: inline assembly".to_owned())), 2);
        assert_eq!(status(Reason::Timeout), 3);
    }
}
