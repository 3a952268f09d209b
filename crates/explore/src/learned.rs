use fencepost_program::{Address, Division, Freed};

/// Assumptions of an exploration. If one turns out to be wrong, the exploration restarts.
#[derive(Clone, Debug)]
pub(crate) struct Learned {
    pub division: Division,
    /// Which objects can be freed, if their memory can be allocated again.
    pub freed: Freed,
    pub one_order_at_barriers: bool,
}

/// What the exploration does about accesses that overlap, once it begins again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remedy {
    /// The larger one is divided.
    Divide,
    /// It is atomic, and the smaller one is widened.
    Widen(Address),
    /// Both are atomic.
    Nothing,
}

impl Learned {
    pub(crate) fn nothing(one_order_at_barriers: bool) -> Learned {
        Learned { division: Division::default(), freed: Freed::default(), one_order_at_barriers }
    }

    /// Takes note of accesses that overlap.
    pub(crate) fn note(&mut self, (cells, remedy): ([Address; 2], Remedy)) {
        match remedy {
            Remedy::Divide => self.division.divide(cells),
            Remedy::Widen(cell) => self.division.widen(cell),
            Remedy::Nothing => {}
        }
    }
}
