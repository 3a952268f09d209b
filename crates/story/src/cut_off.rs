//! Why no execution of a program completes: the same words in every engine.

use crate::Reason;

/// What keeps executions from being complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CutOff {
    /// A loop goes on beyond `--unroll`.
    pub bounded: bool,
    /// The places of the assumptions that give up executions, as `file:line` or empty. Two are enough.
    pub assumptions: Vec<String>,
    /// A thread goes round a loop without an exit.
    pub endless: bool,
    /// A thread waits for ever.
    pub waits: bool,
    /// A thread fails.
    pub fails: bool,
}

impl CutOff {
    /// Takes note of an assumption that gives up an execution.
    pub fn by_assumption(&mut self, place: String) {
        if self.assumptions.len() < 2 && !self.assumptions.contains(&place) {
            self.assumptions.push(place);
        }
    }

    pub fn extend(&mut self, other: &CutOff) {
        self.bounded |= other.bounded;
        self.endless |= other.endless;
        self.waits |= other.waits;
        self.fails |= other.fails;
        other.assumptions.iter().for_each(|place| self.by_assumption(place.clone()));
    }

    /// What is said of all of no executions says nothing.
    pub fn reason(&self) -> Reason {
        if self.bounded {
            return Reason::NoExecution(
                "no execution completes: some go on beyond the bound on loops (--unroll)".into(),
            );
        }
        let mut ways: Vec<String> = Vec::new();
        match &self.assumptions[..] {
            [] => {}
            [one] if !one.is_empty() => ways.push(format!("is cut off by the assumption at {one}")),
            _ => ways.push("is cut off by an assumption".to_owned()),
        }
        let others = [
            (self.endless, "goes round a loop without an exit"),
            (self.waits, "waits for ever"),
            (self.fails, "fails"),
        ];
        ways.extend(others.into_iter().filter(|(is, _)| *is).map(|(_, way)| way.to_owned()));
        let why = match &ways[..] {
            [] => "in every one a thread goes on for ever".to_owned(),
            [way] => format!("in every one a thread {way}"),
            [way, last] => format!("in every one a thread {way} or {last}"),
            [ways @ .., last] => format!("in every one a thread {}, or {last}", ways.join(", ")),
        };
        Reason::NoExecution(format!("no execution completes: {why}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(cut_off: &CutOff) -> String {
        match cut_off.reason() {
            Reason::NoExecution(text) => text,
            reason => panic!("{reason:?}"),
        }
    }

    #[test]
    fn each_reason_is_named() {
        let mut cut_off = CutOff::default();
        cut_off.by_assumption("a.fp:2".into());
        cut_off.by_assumption("a.fp:2".into());
        assert_eq!(
            text(&cut_off),
            "no execution completes: in every one a thread is cut off by the assumption at a.fp:2"
        );
        cut_off.by_assumption("a.fp:3".into());
        assert_eq!(text(&cut_off), "no execution completes: in every one a thread is cut off by an assumption");
        cut_off.extend(&CutOff { endless: true, fails: true, ..CutOff::default() });
        let three = "is cut off by an assumption, goes round a loop without an exit, or fails";
        assert_eq!(text(&cut_off), format!("no execution completes: in every one a thread {three}"));
        cut_off.bounded = true;
        assert!(text(&cut_off).ends_with("(--unroll)"));
    }
}
